import type { publishPaths } from "../paths/publish";
import type { Loaders } from "./page";

export const publishLoaders: Loaders<typeof publishPaths> = {
  "/publishCenter": () => import("@/pages/publishCenter/mySourceFiles"),
  "/publishCenter/mySourceFiles": () => import("@/pages/publishCenter/mySourceFiles"),
};
