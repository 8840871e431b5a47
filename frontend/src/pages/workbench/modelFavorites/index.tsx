export { FavouriteFolders as default } from "@/features/favourites";
