import { Loaded } from "../../kit/states";
import { usePolling } from "../../kit/usePolling";
import { Waiting } from "../../kit/Waiting";
import { useLeadListQuery } from "./calls";

/** Who asked to be called and has not been. */
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
