export { WorksHome as default } from "@/features/works";
