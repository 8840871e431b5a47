import { ModelerGate, MyListings } from "@/features/modeler";

export default function IntegralRecordPage() {
  return (
    <ModelerGate title="积分记录">
      <MyListings points />
    </ModelerGate>
  );
}
