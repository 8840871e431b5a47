export { AuthorPage as default } from "@/features/mall";
