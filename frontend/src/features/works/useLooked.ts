import { useRef } from "react";
import { useCountViewMutation } from "@/calls/works";
import { keepVisitor, wantsNoTrace } from "@/features/visits";

/** For who asks not to be followed a name that nobody keeps. */
const passing = (): string => crypto.randomUUID().replaceAll("-", "");

/** Tells that a work was looked at, once a page. The server counts a person once in a while only. */
export function useLooked(worksId: string): () => void {
  const [count] = useCountViewMutation();
  const told = useRef("");
  return () => {
    if (told.current === worksId) return;
    told.current = worksId;
    void count({ worksId, visitorId: wantsNoTrace() ? passing() : keepVisitor() });
  };
}
