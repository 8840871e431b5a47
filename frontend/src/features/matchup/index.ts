export { DemandDetail } from "./DemandDetail";
export { DemandMarket } from "./DemandMarket";
export { DemandPage } from "./DemandPage";
export { MatchupHome } from "./MatchupHome";
export { ProviderPage } from "./ProviderPage";
export { ServiceMarket } from "./ServiceMarket";
