export { ListingList } from "./ListingList";
export { ListingPage } from "./ListingPage";
export { ProcessedFiles } from "./ProcessedFiles";
export { PublishHome } from "./PublishHome";
