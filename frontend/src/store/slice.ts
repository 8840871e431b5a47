import {
  type Action,
  type ActionCreatorWithoutPayload,
  createAction,
  type PayloadAction,
  type PayloadActionCreator,
  type Reducer,
} from "@reduxjs/toolkit";

// biome-ignore lint/suspicious/noExplicitAny: the payload of each handler is its own
type Handlers<State> = Record<string, (state: State, payload: any) => State>;

type Creator<Handler> = Handler extends (state: never) => unknown
  ? ActionCreatorWithoutPayload
  : Handler extends (state: never, payload: infer Payload) => unknown
    ? PayloadActionCreator<Payload>
    : never;

/** A state with actions of its own. */
interface Slice<State, Own> {
  reducer: Reducer<State>;
  actions: { [Name in keyof Own]: Creator<Own[Name]> };
}

/**
 * Redux Toolkit's `createSlice` for handlers that return the next state instead of changing a draft. The slices of the
 * first load are made with it: `createSlice` would bring Immer there, 5 KB gzipped.
 *
 * @param others answers to actions of other slices
 */
export function slice<State, Own extends Handlers<State>>(
  name: string,
  initialState: State,
  own: Own,
  others: (state: State, action: Action) => State,
): Slice<State, Own> {
  const actions = Object.fromEntries(Object.keys(own).map((key) => [key, createAction(`${name}/${key}`)]));
  const byType = new Map(Object.entries(own).map(([key, handle]) => [`${name}/${key}`, handle]));
  return {
    actions: actions as unknown as Slice<State, Own>["actions"],
    reducer: (state = initialState, action) => {
      const handle = byType.get(action.type);
      return handle ? handle(state, (action as PayloadAction<unknown>).payload) : others(state, action);
    },
  };
}
