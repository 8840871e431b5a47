export { MatchupHome as default } from "@/features/matchup";
