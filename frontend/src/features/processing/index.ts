export { ModelSelector } from "./ModelSelector";
export { serviceNames } from "./params";
export { ResultList } from "./ResultList";
export { ResultPage } from "./ResultPage";
export { ServicePage } from "./ServicePage";
