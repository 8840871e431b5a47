import { area } from "./area";

/** Demands and the people who meet them. */
const { page } = area({ layout: "default", access: "public" });

export const matchupPaths = [
  page("/matchingPlatform", "供需对接"),
  page("/matchingPlatform/demandDetailsPage", "需求详情"),
  page("/matchingPlatform/demandMarketPage", "需求市场"),
  page("/matchingPlatform/demandPage", "发布需求"),
  page("/matchingPlatform/serviceMarketPage", "服务市场"),
  page("/matchingPlatform/serviceProviderPage", "服务商"),
] as const;
