import { SourceFiles } from "@/features/uploads";

export default function EditDialogPage() {
  return <SourceFiles place="workbench" dialog="rename" />;
}
