import { SourceFiles } from "@/features/sourceFiles";

export default function EditDialogPage() {
  return <SourceFiles place="workbench" dialog="rename" />;
}
