import { SourceFiles } from "@/features/sourceFiles";

export default function PublishDialogPage() {
  return <SourceFiles place="workbench" dialog="release" />;
}
