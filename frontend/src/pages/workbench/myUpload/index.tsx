import { SourceFiles } from "@/features/uploads";

export default function MyUploadPage() {
  return <SourceFiles place="workbench" />;
}
