export { ChatDialog } from "./ChatDialog";
