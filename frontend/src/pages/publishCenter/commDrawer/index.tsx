import { ListingList } from "@/features/publish";

/** Batch settings at an address of their own: the list with its drawer open. */
export default function CommDrawerPage() {
  return <ListingList drawer />;
}
