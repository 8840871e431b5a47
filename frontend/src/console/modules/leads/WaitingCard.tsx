import { useLeadListQuery } from "../../api/generated/personal";
import { Loaded } from "../../kit/states";
import { usePolling } from "../../kit/usePolling";
import { Waiting } from "../../kit/Waiting";

/** Requests for a call that are still open. */
export default function WaitingCard() {
  const query = useLeadListQuery({ state: "new", size: 1 }, usePolling(60_000));
  return (
    <Loaded query={query} what="待联系的申请">
      {({ waiting, waitingSince }) => (
        <Waiting name="待联系" many={waiting} since={waitingSince} to="/leads?state=new" />
      )}
    </Loaded>
  );
}
