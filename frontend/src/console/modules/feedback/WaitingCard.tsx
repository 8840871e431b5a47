import { useFeedbackListQuery } from "../../api/generated/personal";
import { Loaded } from "../../kit/states";
import { usePolling } from "../../kit/usePolling";
import { Waiting } from "../../kit/Waiting";

/** Number and age of unanswered feedback. */
export default function WaitingCard() {
  const query = useFeedbackListQuery({ state: "open", size: 1 }, usePolling(60_000));
  return (
    <Loaded query={query} what="待回复反馈">
      {({ items, open }) => (
        <Waiting name="待回复" many={open} since={items[0]?.createdAt ?? 0} to="/feedback?state=open" />
      )}
    </Loaded>
  );
}
