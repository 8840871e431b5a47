import { ServicePage } from "@/features/services";

export default function WorkbenchServicePage() {
  return <ServicePage />;
}
