import { WeightSplit } from "@/features/home";

/** One mesh and what becomes of it, made in the page: the figures are those of what is drawn. */
export default function CompareStage() {
  return <WeightSplit />;
}
