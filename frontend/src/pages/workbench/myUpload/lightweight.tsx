import { ServicePage } from "@/features/services";

export default function LightweightPage() {
  return <ServicePage fixed="lightweight" />;
}
