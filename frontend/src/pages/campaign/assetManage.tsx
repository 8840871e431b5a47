import { ApplyForm, Landing } from "@/features/campaign";

export default function AssetManagePage() {
  return (
    <Landing
      kind="product"
      act={{ text: "去我的上传", to: "/workbench/myUpload" }}
      ask={{
        title: "申请资产管理",
        note: "留下联系方式和想解决的问题，我们打电话与您商量做法。不需要账号。",
        node: <ApplyForm />,
      }}
    />
  );
}
