import type { worksPaths } from "../paths/works";
import type { Loaders } from "./page";

export const worksLoaders: Loaders<typeof worksPaths> = {
  "/production": () => import("@/pages/production"),
  "/production/classify": () => import("@/pages/production/classify"),
  "/production/detail": () => import("@/pages/production/detail"),
  "/rorateBall": () => import("@/pages/rorateBall"),
  "/workbench/myWorks": () => import("@/pages/workbench/myWorks"),
  "/workbench/myWorks/list": () => import("@/pages/workbench/myWorks/list"),
  "/workbench/myComment": () => import("@/pages/workbench/myComment"),
  "/workbench/myComment/comment": () => import("@/pages/workbench/myComment"),
  "/workbench/myComment/index1": () => import("@/pages/workbench/myComment"),
  "/workbench/myComment/reply": () => import("@/pages/workbench/myComment"),
};
