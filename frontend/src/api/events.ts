import { createAction } from "@reduxjs/toolkit";

/** A call was answered 401: its token is no longer accepted. */
export const unauthorized = createAction("api/unauthorized");
