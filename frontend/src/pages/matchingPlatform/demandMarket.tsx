export { DemandMarket as default } from "@/features/matchup";
