export { pageRoutes } from "../../scripts/pageRoutes.mjs";
