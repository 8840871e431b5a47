import type { mallPaths } from "../paths/mall";
import type { Loaders } from "./page";

export const mallLoaders: Loaders<typeof mallPaths> = {
  "/transaction": () => import("@/pages/transaction"),
  "/transaction/author": () => import("@/pages/transaction/author"),
  "/transaction/detail": () => import("@/pages/transaction/detail"),
  "/transaction/shoppingCart": () => import("@/pages/transaction/shoppingCart"),
  "/transaction/search/:keyWord?": () => import("@/pages/transaction/search"),
  "/common/pay": () => import("@/pages/common/pay"),
  "/common/recharge": () => import("@/pages/common/recharge"),
};
