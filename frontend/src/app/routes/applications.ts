import type { applicationsPaths } from "../paths/applications";
import type { Loaders } from "./page";

export const applicationsLoaders: Loaders<typeof applicationsPaths> = {
  "/applicationCenter": () => import("@/pages/aboutUs"),
  "/applicationCenter/aboutUs": () => import("@/pages/aboutUs"),
};
