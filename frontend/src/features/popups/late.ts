import { optional } from "@/lib/chunk";

/** Loaded once there is something to show: most pages have nothing. */
export const MemberPopupDialog = optional(
  () => import(/* webpackChunkName: "popup-dialogs" */ "./MemberPopupDialog"),
);
export const PopupAdDialog = optional(
  () => import(/* webpackChunkName: "popup-dialogs" */ "./PopupAdDialog"),
);
