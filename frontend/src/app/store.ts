import {
  type Action,
  configureStore,
  createListenerMiddleware,
  type ThunkAction,
  type TypedStartListening,
} from "@reduxjs/toolkit";
import { baseApi } from "@/api/base";
import { realtimeReducer } from "@/realtime/slice";
import { authDialogReducer } from "@/session/dialog";
import { startSessionEffects } from "@/session/effects";
import { sessionReducer } from "@/session/slice";
import { shopReducer } from "@/shop/slice";

const reducer = {
  [baseApi.reducerPath]: baseApi.reducer,
  session: sessionReducer,
  authDialog: authDialogReducer,
  realtime: realtimeReducer,
  shop: shopReducer,
};

export function createStore() {
  const listeners = createListenerMiddleware();
  const store = configureStore({
    reducer,
    middleware: (defaults) => defaults().prepend(listeners.middleware).concat(baseApi.middleware),
  });
  startSessionEffects(listeners.startListening as AppStartListening);
  return store;
}

export type AppStore = ReturnType<typeof createStore>;
export type RootState = ReturnType<AppStore["getState"]>;
export type AppDispatch = AppStore["dispatch"];
export type AppThunk<R = void> = ThunkAction<R, RootState, unknown, Action>;
export type AppStartListening = TypedStartListening<RootState, AppDispatch>;
