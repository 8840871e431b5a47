import {
  type Action,
  combineReducers,
  configureStore,
  createListenerMiddleware,
  type Middleware,
  type Reducer,
  type StateFromReducersMapObject,
  type ThunkAction,
  type TypedStartListening,
} from "@reduxjs/toolkit";
import type { CombinedState } from "@reduxjs/toolkit/query";
import { realtimeReducer } from "@/realtime/slice";
import { authDialogReducer } from "@/session/dialog";
import { type SessionRules, startSessionEffects } from "@/session/effects";
import { sessionReducer } from "@/session/slice";
import { shopReducer } from "@/shop/slice";
import { whenAttached } from "./calls";

const reducers = {
  session: sessionReducer,
  authDialog: authDialogReducer,
  realtime: realtimeReducer,
  shop: shopReducer,
};

/** `api` is optional at first, but its readers are loaded together with the client. */
export type RootState = StateFromReducersMapObject<typeof reducers> & {
  // biome-ignore lint/suspicious/noExplicitAny: each area adds endpoints and tags of its own, and reads only those
  api: CombinedState<any, any, "api">;
};

const rootReducer = (late: { api?: Reducer } = {}) =>
  combineReducers({ ...reducers, ...late }) as unknown as Reducer<RootState>;

/** Passes actions through the API client's middleware once the client is loaded. */
const calls: Middleware = (store) => (next) => {
  let handle = next;
  whenAttached(({ middleware }) => {
    handle = middleware(store)(next);
  });
  return (action) => handle(action);
};

export function createStore(rules: SessionRules) {
  const listeners = createListenerMiddleware();
  const store = configureStore({
    reducer: rootReducer(),
    middleware: (defaults) => defaults().prepend(listeners.middleware).concat(calls),
  });
  whenAttached(({ reducer }) => store.replaceReducer(rootReducer({ api: reducer })));
  startSessionEffects(listeners.startListening as AppStartListening, rules);
  return store;
}

export type AppStore = ReturnType<typeof createStore>;
export type AppDispatch = AppStore["dispatch"];
export type AppThunk<R = void> = ThunkAction<R, RootState, unknown, Action>;
export type AppStartListening = TypedStartListening<RootState, AppDispatch>;
