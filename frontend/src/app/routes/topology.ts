import type { topologyPaths } from "../paths/topology";
import type { Loaders } from "./page";

export const topologyLoaders: Loaders<typeof topologyPaths> = {
  "/message": () => import("@/pages/message"),
};
