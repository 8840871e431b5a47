export { MallHome as default } from "@/features/mall";
