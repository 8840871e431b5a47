import { ListingList } from "@/features/publish";

/** The settings for many are a page of their own address: the list with its drawer open. */
export default function CommDrawerPage() {
  return <ListingList drawer />;
}
