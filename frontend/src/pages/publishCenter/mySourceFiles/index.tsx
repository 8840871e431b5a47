import { SourceFiles } from "@/features/uploads";

export default function PublishSourceFilesPage() {
  return <SourceFiles place="publish" />;
}
