import { ServicePage } from "@/features/processing";

export default function ModelSelectorPage() {
  return <ServicePage piece="modelSelector" />;
}
