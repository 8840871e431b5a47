import type { mallPaths } from "../paths/mall";
import type { Loaders } from "./page";

export const mallLoaders: Loaders<typeof mallPaths> = {
  "/common/pay": () => import("@/pages/common/pay"),
  "/common/recharge": () => import("@/pages/common/recharge"),
};
