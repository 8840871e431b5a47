export { MyModels as default } from "@/features/myModels";
