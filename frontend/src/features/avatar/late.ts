import { lazy } from "react";

/** Loaded when it is first opened. */
export const AvatarPanel = lazy(() => import(/* webpackChunkName: "avatar-panel" */ "./AvatarPanel"));
