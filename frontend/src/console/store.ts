import { configureStore, type Middleware } from "@reduxjs/toolkit";
import { baseApi } from "./api/base";
import { permissionRefused, tokenRefused } from "./api/events";
import { dropToken } from "./api/token";
import { type ConsoleDispatch, refreshOperator } from "./session/calls";
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

/** A refusal shows that the permissions which the page knows may be old. */
const recheck: Middleware = (api) => (next) => (action) => {
  const done = next(action);
  if (permissionRefused.match(action)) void (api.dispatch as ConsoleDispatch)(refreshOperator());
  return done;
};

/** The console's own store: shares no state with the site's. */
export function createConsoleStore() {
  return configureStore({
    reducer: { session: sessionReducer, api: baseApi.reducer },
    middleware: (defaults) => defaults().concat(baseApi.middleware, forget, recheck),
  });
}

export type ConsoleStore = ReturnType<typeof createConsoleStore>;
