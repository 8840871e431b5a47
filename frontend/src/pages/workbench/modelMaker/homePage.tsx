import { Homepage, ModelerGate } from "@/features/modeler";

export default function HomepagePage() {
  return (
    <ModelerGate title="模型师主页">
      <Homepage />
    </ModelerGate>
  );
}
