import { createAction } from "@reduxjs/toolkit";

/** A call was answered 401: its token is no longer accepted. */
export const unauthorized = createAction("api/unauthorized");

/** A call was not sent: the cookies name another account than the one it was made for. */
export const accountChanged = createAction("api/accountChanged");
