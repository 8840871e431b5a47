import { MyConcern } from "@/features/concern";
import { PageHeader } from "@/ui/PageHeader";

export default function MyConcernPage() {
  return (
    <>
      <PageHeader title="我的关注" />
      <MyConcern />
    </>
  );
}
