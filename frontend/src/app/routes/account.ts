import type { accountPaths } from "../paths/account";
import type { Loaders } from "./page";

export const accountLoaders: Loaders<typeof accountPaths> = {
  "/workbench/account": () => import("@/pages/account"),
  "/workbench/account/accoInforIndex": () => import("@/pages/account"),
  "/workbench/account/accountManagement": () => import("@/pages/account/accountManagement"),
  "/workbench/account/accountRecharge": () => import("@/pages/account/accountRecharge"),
  "/workbench/account/accountWithdrawals": () => import("@/pages/account/accountWithdrawals"),
  "/workbench/account/myCollection": () => import("@/pages/account/myCollection"),
  "/workbench/account/myConcern": () => import("@/pages/account/myConcern"),
  "/workbench/account/myCoupon": () => import("@/pages/account/myCoupon"),
  "/workbench/account/myExtension": () => import("@/pages/account/myExtension"),
  "/workbench/account/mySetMeal": () => import("@/pages/account/mySetMeal"),
  "/workbench/account/vipPackage": () => import("@/pages/account/vipPackage"),
};
