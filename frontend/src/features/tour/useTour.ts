import { useState } from "react";
import {
  useGetTheGuidePageReadingStatusQuery,
  useUpdateTheGuidePageReadingStatusMutation,
} from "@/calls/personal";
import { useSession } from "@/session";
import { TOUR_LOCATION, type TourName } from "./steps";

/**
 * Whether the tour is to be shown: only when the read status was answered with false. Ending it, by
 * the last step or by leaving early, marks its location as read. `elsewhere`: this page has no tour.
 */
export function useTour(
  name: TourName,
  elsewhere = false,
): { run: boolean; unknown: boolean; end: () => void } {
  const { signedIn } = useSession();
  const location = TOUR_LOCATION[name];
  const skip = !signedIn || elsewhere;
  const { data, isLoading } = useGetTheGuidePageReadingStatusQuery({ location }, { skip });
  const [markRead] = useUpdateTheGuidePageReadingStatusMutation();
  const [ended, setEnded] = useState(false);

  function end() {
    if (ended) return;
    setEnded(true);
    // A failed mark shows its own toast; the tour then comes again at the next visit.
    void markRead({ location });
  }
  return { run: !skip && data === false && !ended, unknown: isLoading, end };
}
