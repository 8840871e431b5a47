export { AuthInfo as default } from "@/features/certification";
