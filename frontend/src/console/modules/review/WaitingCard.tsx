import { useReviewListQuery } from "../../api/generated/personal";
import { Loaded } from "../../kit/states";
import { usePolling } from "../../kit/usePolling";
import { Waiting } from "../../kit/Waiting";

/** Number of pictures and texts pending a decision. */
export default function WaitingCard() {
  const query = useReviewListQuery({ state: "waiting", size: 1 }, usePolling(60_000));
  return (
    <Loaded query={query} what="待审图文">
      {({ items, waiting }) => (
        <Waiting name="待审" many={waiting} since={items[0]?.createdAt ?? 0} to="/review" />
      )}
    </Loaded>
  );
}
