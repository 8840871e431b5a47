export { ClassifyPage as default } from "@/features/works";
