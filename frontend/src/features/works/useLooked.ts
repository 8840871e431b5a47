import { useRef } from "react";
import { useCountViewMutation } from "@/calls/works";
import { keepVisitor, wantsNoTrace } from "@/features/visits";

/** A one-time id for visitors who ask not to be tracked. */
const passing = (): string => crypto.randomUUID().replaceAll("-", "");

/** Reports a view of the work, once per page. The server limits how often it counts a visitor. */
export function useLooked(worksId: string): () => void {
  const [count] = useCountViewMutation();
  const reported = useRef("");
  return () => {
    if (reported.current === worksId) return;
    reported.current = worksId;
    void count({ worksId, visitorId: wantsNoTrace() ? passing() : keepVisitor() });
  };
}
