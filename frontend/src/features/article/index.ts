export {
  ArticleHead,
  Neighbours,
  PlainArticle,
  Reading,
  Related,
  type ShownArticle,
  WithArticle,
  wayTo,
} from "./Article";
export { Blocks } from "./Blocks";
export { type Block, headingsOf, readBlocks } from "./blocks";
export { ArticleCard, CardGrid, CardsWaiting, recipeOf } from "./Cards";
export { Hits } from "./Hits";
export { categoryOf, KindList, listPath } from "./KindList";
export { isKind, KINDS, type Kind } from "./kinds";
export { ArticleFailed, Missing } from "./Missing";
export { ArticleWaiting, Column, Crumbs, Lead, Part } from "./Parts";
export { Picture, PictureFrame } from "./Picture";
export { PlacedText } from "./PlacedText";
export { MOST_OF_KEYWORD, SearchField } from "./SearchField";
export { useArticle } from "./useArticle";
export { usePlaced } from "./usePlaced";
