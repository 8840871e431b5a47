import { useState } from "react";
import type { WorksWorkModel } from "@/calls/works";

/** The model as it was first told: another answer signs the same files anew, which must not load them again. */
export function useKept(model: WorksWorkModel | undefined): WorksWorkModel | undefined {
  const [kept, setKept] = useState(model);
  const other = kept?.bundle !== model?.bundle || !kept?.modelUrl !== !model?.modelUrl;
  if (other) setKept(model);
  return other ? model : kept;
}
