import { ListingList } from "@/features/publish";

export default function ToBeReleasedPage() {
  return <ListingList />;
}
