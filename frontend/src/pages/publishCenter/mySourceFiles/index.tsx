import { SourceFiles } from "@/features/sourceFiles";

export default function PublishSourceFilesPage() {
  return <SourceFiles place="publish" />;
}
