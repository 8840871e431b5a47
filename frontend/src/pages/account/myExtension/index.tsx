import { MyExtension } from "@/features/invitation";
import { PageHeader } from "@/ui/PageHeader";

export default function MyExtensionPage() {
  return (
    <>
      <PageHeader title="我的推广" note="邀请好友，双方都得云币" />
      <MyExtension />
    </>
  );
}
