import { createAction } from "@reduxjs/toolkit";
import { expect, it, vi } from "vitest";
import { slice } from "./slice";

it("a slice names its actions, answers its own and lets others through (slice)", () => {
  const outside = createAction<number>("outside");
  const { actions, reducer } = slice(
    "lamp",
    { on: false, turns: 0 },
    {
      turned: (state, on: boolean) => ({ on, turns: state.turns + 1 }),
      broken: (state) => ({ ...state, on: false }),
    },
    (state, action) => (outside.match(action) ? { ...state, turns: action.payload } : state),
  );
  expect(actions.turned(true)).toEqual({ type: "lamp/turned", payload: true });
  const start = reducer(undefined, { type: "other" });
  expect(start).toEqual({ on: false, turns: 0 });
  const lit = reducer(start, actions.turned(true));
  expect(lit).toEqual({ on: true, turns: 1 });
  expect(start).toEqual({ on: false, turns: 0 });
  expect(reducer(lit, actions.broken())).toEqual({ on: false, turns: 1 });
  expect(reducer(lit, outside(7))).toEqual({ on: true, turns: 7 });
  expect(reducer(lit, { type: "other" })).toBe(lit);
});

it("the API client joins a store that was there before it, and one that comes after", async () => {
  vi.resetModules();
  const { createStore } = await import(".");
  const rules = { isPrivatePath: () => false };
  const early = createStore(rules);
  expect(early.getState()).not.toHaveProperty("api");
  const { baseApi } = await import("@/api/base");
  expect(early.getState().api).toEqual(baseApi.reducer(undefined, { type: "other" }));
  expect(early.getState().session.loginId).toBe("");
  for (const store of [early, createStore(rules)]) {
    // The client's middleware says so with the first action that passes through it.
    store.dispatch({ type: "other" });
    expect(store.getState().api.config.middlewareRegistered).toBe(true);
  }
});
