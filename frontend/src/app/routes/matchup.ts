import type { matchupPaths } from "../paths/matchup";
import type { Loaders } from "./page";

export const matchupLoaders: Loaders<typeof matchupPaths> = {
  "/matchingPlatform": () => import("@/pages/matchingPlatform"),
  "/matchingPlatform/demandDetailsPage": () => import("@/pages/matchingPlatform/demandDetails"),
  "/matchingPlatform/demandMarketPage": () => import("@/pages/matchingPlatform/demandMarket"),
  "/matchingPlatform/demandPage": () => import("@/pages/matchingPlatform/demand"),
  "/matchingPlatform/serviceMarketPage": () => import("@/pages/matchingPlatform/serviceMarket"),
  "/matchingPlatform/serviceProviderPage": () => import("@/pages/matchingPlatform/serviceProvider"),
};
