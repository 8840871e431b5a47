import { SourceFilePage } from "@/features/sourceFiles";

export default SourceFilePage;
