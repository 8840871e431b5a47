import { ModelerGate, MyListings } from "@/features/modeler";

export default function MyListingsPage() {
  return (
    <ModelerGate title="我的上架">
      <MyListings />
    </ModelerGate>
  );
}
