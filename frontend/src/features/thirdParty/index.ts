export { ThirdPartyPanel } from "./ThirdPartyPanel";
