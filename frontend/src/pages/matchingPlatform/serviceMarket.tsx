export { ServiceMarket as default } from "@/features/matchup";
