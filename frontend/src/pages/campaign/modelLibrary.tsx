import { Landing, LibraryTool } from "@/features/campaign";

export default function ModelLibraryPage() {
  return (
    <Landing
      kind="campaign"
      act={{ text: "去模型商城", to: "/transaction" }}
      tool={{
        title: "找一个试试",
        note: "拼音和错别字也能找到；免费的可以直接领取。",
        node: <LibraryTool />,
      }}
    />
  );
}
