import { Landing } from "@/features/campaign";

export default function SdkCampaignPage() {
  return <Landing kind="campaign" act={{ text: "看开发工具手册", to: "/aLeaflet/devtoolPage" }} />;
}
