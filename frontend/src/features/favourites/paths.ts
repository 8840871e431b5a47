export const FOLDERS = "/workbench/modelFavorites";
export const ALL = "/workbench/modelFavorites/favoriteModelList";
export const NEW = "/workbench/modelFavorites/newFavoriteDialog";
export const MALL = "/transaction";
/** Every user's default folder, which cannot be deleted. */
export const DEFAULT_FOLDER = "default";

export const folderPath = (folderId: string): string =>
  `/workbench/modelFavorites/favoriteDetails?id=${encodeURIComponent(folderId)}`;
