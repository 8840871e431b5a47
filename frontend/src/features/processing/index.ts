export { ResultList } from "./ResultList";
export { ResultPage } from "./ResultPage";
export { ServicePage } from "./ServicePage";
