import { ModelerGate, Orders } from "@/features/modeler";

export default function OrdersPage() {
  return (
    <ModelerGate title="用户订单">
      <Orders />
    </ModelerGate>
  );
}
