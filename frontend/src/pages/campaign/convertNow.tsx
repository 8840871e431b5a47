import { FormatTool, Landing } from "@/features/campaign";

export default function ConvertNowPage() {
  return (
    <Landing
      kind="campaign"
      act={{ text: "上传文件", to: "/workbench/myUpload?upload=1" }}
      tool={{ title: "选出手里的文件", note: "不确定是哪一种，看文件名的末尾。", node: <FormatTool /> }}
    />
  );
}
