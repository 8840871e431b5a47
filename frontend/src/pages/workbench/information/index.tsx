export { Information as default } from "@/features/certification";
