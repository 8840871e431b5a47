import { useState } from "react";
import {
  useGetTheGuidePageReadingStatusQuery,
  useUpdateTheGuidePageReadingStatusMutation,
} from "@/calls/personal";
import { useSession } from "@/session";
import { TOUR_LOCATION, type TourName } from "./steps";

/**
 * Whether to show the tour: only if the server reports it as unread. Ending it, by the last step or by leaving early, marks its
 * location as read. `elsewhere`: this page has no tour.
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
    // A failure shows its own toast; the tour then returns on the next visit.
    void markRead({ location });
  }
  return { run: !skip && data === false && !ended, unknown: isLoading, end };
}
