import { ModelerGate, Records } from "@/features/modeler";

export default function RecordsPage() {
  return (
    <ModelerGate title="审核记录">
      <Records />
    </ModelerGate>
  );
}
