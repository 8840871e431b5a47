import { SourceFiles } from "@/features/sourceFiles";

export default function MyUploadPage() {
  return <SourceFiles place="workbench" />;
}
