import { BudgetTool, Landing } from "@/features/campaign";

export default function LightenNowPage() {
  return (
    <Landing
      kind="campaign"
      act={{ text: "上传模型", to: "/workbench/myUpload?upload=1" }}
      tool={{
        title: "哪一项重，先算一算",
        note: "填软件里看到的数字，和体检的起扣线比一比。",
        node: <BudgetTool />,
      }}
    />
  );
}
