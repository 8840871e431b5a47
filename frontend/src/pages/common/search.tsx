export { SiteSearch as default } from "@/features/search";
