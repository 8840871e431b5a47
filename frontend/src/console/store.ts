import { configureStore, type Middleware } from "@reduxjs/toolkit";
import { baseApi } from "./api/base";
import { tokenRefused } from "./api/events";
import { dropToken } from "./api/token";
import { left, sessionReducer } from "./session/slice";

/** Clears everything that the operator has loaded. */
const forget: Middleware = (api) => (next) => (action) => {
  const done = next(action);
  if (left.match(action) || tokenRefused.match(action)) {
    dropToken();
    api.dispatch(baseApi.util.resetApiState());
  }
  return done;
};

/** The console's own store: shares no state with the site's. */
export function createConsoleStore() {
  return configureStore({
    reducer: { session: sessionReducer, api: baseApi.reducer },
    middleware: (defaults) => defaults().concat(baseApi.middleware, forget),
  });
}

export type ConsoleStore = ReturnType<typeof createConsoleStore>;
