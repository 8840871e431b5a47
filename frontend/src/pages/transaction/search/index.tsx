export { SearchPage as default } from "@/features/mall";
