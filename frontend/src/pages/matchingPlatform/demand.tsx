export { DemandPage as default } from "@/features/matchup";
