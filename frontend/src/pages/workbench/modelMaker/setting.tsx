import { ModelerGate, Setting } from "@/features/modeler";

export default function SettingPage() {
  return (
    <ModelerGate title="主页设置">
      <Setting />
    </ModelerGate>
  );
}
