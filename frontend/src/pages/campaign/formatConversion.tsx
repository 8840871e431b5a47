import { FormatTool, Landing } from "@/features/campaign";

export default function FormatCampaignPage() {
  return (
    <Landing
      kind="campaign"
      act={{ text: "上传文件转换", to: "/workbench/myUpload?upload=1" }}
      tool={{
        title: "先查一查手里的格式",
        note: "读得到什么、能转成什么，与上传时的规则是同一份。",
        node: <FormatTool />,
      }}
    />
  );
}
