import { useChatListQuery } from "../../api/generated/personal";
import { Loaded } from "../../kit/states";
import { usePolling } from "../../kit/usePolling";
import { Waiting } from "../../kit/Waiting";

/** Number of users waiting for an answer. */
export default function WaitingCard() {
  const query = useChatListQuery({ waiting: true, size: 1 }, usePolling(30_000));
  return (
    <Loaded query={query} what="待回复会话">
      {({ conversations, waiting }) => (
        <Waiting name="等待回复" many={waiting} since={conversations[0]?.waitingSince ?? 0} to="/chat" />
      )}
    </Loaded>
  );
}
