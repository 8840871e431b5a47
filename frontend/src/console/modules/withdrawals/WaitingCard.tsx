import { useWithdrawalSearchQuery } from "../../api/generated/payment";
import { Loaded } from "../../kit/states";
import { usePolling } from "../../kit/usePolling";
import { Waiting } from "../../kit/Waiting";

/** Number and age of withdrawals that wait for an operator. */
export default function WaitingCard() {
  const query = useWithdrawalSearchQuery({ size: 1 }, usePolling(60_000));
  return (
    <Loaded query={query} what="待办提现">
      {({ waiting, oldestAt }) => (
        <Waiting name="待办提现" many={waiting} since={oldestAt} to="/withdrawals" />
      )}
    </Loaded>
  );
}
