export { FeedbackDialog } from "./FeedbackDialog";
