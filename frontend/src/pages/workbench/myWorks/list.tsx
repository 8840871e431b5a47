export { WorkList as default } from "@/features/works";
