export { AllFavourites as default } from "@/features/favourites";
