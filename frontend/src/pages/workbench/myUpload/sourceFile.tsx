import { SourceFilePage } from "@/features/uploads";

export default SourceFilePage;
