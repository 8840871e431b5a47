export { Bars, type Point } from "@/ui/Bars";
