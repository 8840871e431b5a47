export { Trades as default } from "@/features/myModels";
