import { area } from "./area";

/** Demands and the people who meet them. */
const { soon } = area({ layout: "default", access: "public" });

export const matchupPaths = [
  soon("/matchingPlatform", "供需对接"),
  soon("/matchingPlatform/demandDetailsPage", "需求详情"),
  soon("/matchingPlatform/demandMarketPage", "需求市场"),
  soon("/matchingPlatform/demandPage", "发布需求"),
  soon("/matchingPlatform/serviceMarketPage", "服务市场"),
  soon("/matchingPlatform/serviceProviderPage", "服务商"),
] as const;
