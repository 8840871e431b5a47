import { ExtensionPlan } from "@/features/invitation";

export default function ExtensionPage() {
  return <ExtensionPlan />;
}
