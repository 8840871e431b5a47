export { Firm as default } from "@/features/certification";
