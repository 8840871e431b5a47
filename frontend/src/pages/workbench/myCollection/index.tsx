export { MyCollection as default } from "@/features/favourites";
