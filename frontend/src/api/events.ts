import { createAction } from "@reduxjs/toolkit";

/** A call was answered 401: the token it carried is not accepted any more. */
export const unauthorized = createAction("api/unauthorized");
