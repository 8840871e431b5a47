export { AllFavourites } from "./AllFavourites";
export { FavouriteFolder } from "./FavouriteFolder";
export { FavouriteFolders } from "./FavouriteFolders";
export { Heart } from "./Heart";
export { MyCollection } from "./MyCollection";
