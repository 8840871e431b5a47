export { UnApproved as default } from "@/features/certification";
