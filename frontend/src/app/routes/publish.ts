import type { publishPaths } from "../paths/publish";
import type { Loaders } from "./page";

export const publishLoaders: Loaders<typeof publishPaths> = {
  "/publishCenter": () => import("@/pages/publishCenter"),
  "/publishCenter/commDrawer": () => import("@/pages/publishCenter/commDrawer"),
  "/publishCenter/commHead": () => import("@/pages/publishCenter/commHead"),
  "/publishCenter/details": () => import("@/pages/publishCenter/details"),
  "/publishCenter/mySourceFiles": () => import("@/pages/publishCenter/mySourceFiles"),
  "/publishCenter/procedSourceFile": () => import("@/pages/publishCenter/procedSourceFile"),
  "/publishCenter/processedList": () => import("@/pages/publishCenter/processedList"),
  "/publishCenter/toBeReleased": () => import("@/pages/publishCenter/toBeReleased"),
};
