import { ServicePage } from "@/features/processing";

export default function LightweightPage() {
  return <ServicePage fixed="lightweight" />;
}
