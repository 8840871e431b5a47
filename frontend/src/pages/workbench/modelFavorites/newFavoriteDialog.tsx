import { FavouriteFolders } from "@/features/favourites";

export default function NewFavoriteDialogPage() {
  return <FavouriteFolders making />;
}
