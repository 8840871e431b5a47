import { useState } from "react";
import type { WorksWorkModel } from "@/calls/works";

/** Keeps the first model: later responses sign the same files anew, which must not reload them. */
export function useKept(model: WorksWorkModel | undefined): WorksWorkModel | undefined {
  const [kept, setKept] = useState(model);
  const other = kept?.bundle !== model?.bundle || !kept?.modelUrl !== !model?.modelUrl;
  if (other) setKept(model);
  return other ? model : kept;
}
