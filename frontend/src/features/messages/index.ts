export { MessageNews } from "./late";
export { MessageList } from "./MessageList";
