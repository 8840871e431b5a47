import { Landing } from "@/features/campaign";

export default function ObliquePhotographyPage() {
  return <Landing kind="product" act={{ text: "上传倾斜摄影", to: "/workbench/myUpload?upload=1" }} />;
}
