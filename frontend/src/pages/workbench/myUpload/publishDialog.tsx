import { SourceFiles } from "@/features/uploads";

export default function PublishDialogPage() {
  return <SourceFiles place="workbench" dialog="release" />;
}
