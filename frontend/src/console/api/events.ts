import { createAction } from "@reduxjs/toolkit";

/** The server no longer accepts the token. */
export const tokenRefused = createAction("console/tokenRefused");
/** The server refused a call for want of a permission: those that the page knows may be out of date. */
export const permissionRefused = createAction("console/permissionRefused");
/** The server has just accepted the token: its idle time restarts. */
export const heard = createAction<number>("console/heard");
