export { FavouriteFolder as default } from "@/features/favourites";
