export { DetailPage as default } from "@/features/mall";
