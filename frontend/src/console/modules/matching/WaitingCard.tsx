import { useDemandSearchQuery } from "../../api/generated/matchup";
import { Loaded } from "../../kit/states";
import { usePolling } from "../../kit/usePolling";
import { Waiting } from "../../kit/Waiting";

/** Number and age of pending needs. */
export default function WaitingCard() {
  const query = useDemandSearchQuery({ state: "review", size: 1 }, usePolling(60_000));
  return (
    <Loaded query={query} what="待审需求">
      {({ waiting, demands }) => (
        <Waiting name="等待审核" many={waiting} since={demands[0]?.submittedAt ?? 0} to="/matching" />
      )}
    </Loaded>
  );
}
