import { ProcessedFiles } from "@/features/publish";

export default ProcessedFiles;
