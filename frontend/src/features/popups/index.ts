export { PopupHost } from "./PopupHost";
