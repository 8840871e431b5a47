import type { sitePaths } from "../paths/site";
import type { Loaders } from "./page";

/** Its name is what the build weighs (scripts/scriptBudget.mjs). */
const home = () => import(/* webpackChunkName: "home" */ "@/pages/home");

export const siteLoaders: Loaders<typeof sitePaths> = {
  "/": home,
  "/index1": home,
  "/index2": home,
  "/extension": () => import("@/pages/extension"),
  "/formatConversion": () => import("@/pages/formatConversion"),
  "/obliquePhotography": () => import("@/pages/campaign/obliquePhotography"),
  "/pricePage": () => import("@/pages/pricePage"),
  "/siteMap": () => import("@/pages/siteMap"),
  "/singleIightweight": () => import("@/pages/singleIightweight"),
  "/unApprove": () => import("@/pages/unApprove"),
  "/common/search": () => import("@/pages/common/search"),
  "/login": () => import("@/pages/login"),
};
