export { WorksBall as default } from "@/features/works";
