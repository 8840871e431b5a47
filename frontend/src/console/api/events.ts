import { createAction } from "@reduxjs/toolkit";

/** The server no longer takes the token. */
export const tokenRefused = createAction("console/tokenRefused");
/** The server has heard the token just now: its idle time starts again. */
export const heard = createAction<number>("console/heard");
