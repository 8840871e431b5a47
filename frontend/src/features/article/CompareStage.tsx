import { WeightSplit } from "@/features/home";

/** A mesh before and after reduction, generated in the page; the figures are counted from the drawn meshes. */
export default function CompareStage() {
  return <WeightSplit />;
}
