import type { contentPaths } from "../paths/content";
import type { Loaders } from "./page";

const solution = () => import("@/pages/solution");

export const contentLoaders: Loaders<typeof contentPaths> = {
  "/agreement": () => import("@/pages/agreement"),
  "/case": () => import("@/pages/case"),
  "/case/details": () => import("@/pages/case/details"),
  "/case/programme": () => import("@/pages/case/programme"),
  "/latestevents": () => import("@/pages/campaign/latest"),
  "/secrecy": () => import("@/pages/secrecy"),
  "/helpCenter": () => import("@/pages/helpCenter"),
  "/helpCenter/teach": () => import("@/pages/helpCenter/teach"),
  "/news": () => import("@/pages/news"),
  "/news/detail": () => import("@/pages/news/detail"),
  "/solution": solution,
  "/solution/c2mEcommerce": solution,
  "/solution/intelligentTransportation": solution,
  "/solution/smartComputerRoom": solution,
  "/solution/smartEnergy": solution,
  "/solution/smartFactory": solution,
  "/solution/smartPark": solution,
};
