import { Landing } from "@/features/campaign";
import { WeightSplit } from "@/features/home";

export default function LightenCampaignPage() {
  return (
    <Landing
      kind="campaign"
      act={{ text: "上传模型轻量化", to: "/workbench/myUpload?upload=1" }}
      picture={<WeightSplit />}
    />
  );
}
