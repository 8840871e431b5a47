import { ServicePage } from "@/features/services";

export default function ModelSelectorPage() {
  return <ServicePage piece="modelSelector" />;
}
