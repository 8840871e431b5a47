export { useAsk } from "./useAsk";
