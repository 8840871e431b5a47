import { ListingPage } from "@/features/publish";

export default ListingPage;
