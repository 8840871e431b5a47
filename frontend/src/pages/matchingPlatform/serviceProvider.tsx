export { ProviderPage as default } from "@/features/matchup";
