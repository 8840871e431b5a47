export { DetailPage as default } from "@/features/works";
