export { SiteSearch } from "./SiteSearch";
