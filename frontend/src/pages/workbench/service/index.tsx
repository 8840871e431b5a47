import { ServicePage } from "@/features/processing";

export default function WorkbenchServicePage() {
  return <ServicePage />;
}
