export { SideToolbar } from "./SideToolbar";
