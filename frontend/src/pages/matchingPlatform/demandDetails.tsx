export { DemandDetail as default } from "@/features/matchup";
