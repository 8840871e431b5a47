export { AskedByAddress } from "./AskedByAddress";
export { useAsk } from "./useAsk";
