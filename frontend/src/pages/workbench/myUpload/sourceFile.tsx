import { fileAhead, SourceFilePage } from "@/features/sourceFiles";

export const ahead = fileAhead;

export default SourceFilePage;
