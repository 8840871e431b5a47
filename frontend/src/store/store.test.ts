import { expect, it, vi } from "vitest";

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
    // The client's middleware registers with the first action that passes through it.
    store.dispatch({ type: "other" });
    expect(store.getState().api.config.middlewareRegistered).toBe(true);
  }
});
