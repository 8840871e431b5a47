import { lazy } from "react";

/** Loaded when first opened. */
export const AvatarPanel = lazy(() => import(/* webpackChunkName: "avatar-panel" */ "./AvatarPanel"));
