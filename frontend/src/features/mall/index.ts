export { AuthorPage, AuthorView } from "./AuthorPage";
export { searchPath } from "./address";
export { DetailPage } from "./DetailPage";
export { Cards } from "./MallCard";
export { MallHome } from "./MallHome";
export { SearchBox } from "./SearchBox";
export { SearchPage } from "./SearchPage";
