import { createAction } from "@reduxjs/toolkit";

/** The server no longer accepts the token. */
export const tokenRefused = createAction("console/tokenRefused");
/** The server has just accepted the token: its idle time restarts. */
export const heard = createAction<number>("console/heard");
