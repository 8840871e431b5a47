import type { contentPaths } from "../paths/content";
import type { Loaders } from "./page";

export const contentLoaders: Loaders<typeof contentPaths> = {
  "/agreement": () => import("@/pages/agreement"),
  "/secrecy": () => import("@/pages/secrecy"),
  "/helpCenter": () => import("@/pages/helpCenter"),
};
