import type { accountPaths } from "../paths/account";
import type { Loaders } from "./page";

export const accountLoaders: Loaders<typeof accountPaths> = {
  "/workbench/account": () => import("@/pages/account"),
  "/workbench/account/accoInforIndex": () => import("@/pages/account"),
  "/workbench/account/accountRecharge": () => import("@/pages/account/accountRecharge"),
  "/workbench/account/myCoupon": () => import("@/pages/account/myCoupon"),
  "/workbench/account/mySetMeal": () => import("@/pages/account/mySetMeal"),
  "/workbench/account/vipPackage": () => import("@/pages/account/vipPackage"),
};
