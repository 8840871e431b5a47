import Box from "@mui/material/Box";
import { useInvitationListQuery } from "../../api/generated/auth";
import { ago, count } from "../../kit/format";
import { Figure } from "../../kit/page";
import { Loaded } from "../../kit/states";
import { usePolling } from "../../kit/usePolling";

/** Number and age of rewards that wait for an operator. */
export default function HeldCard() {
  const query = useInvitationListQuery({ state: "held", size: 1 }, usePolling(60_000));
  return (
    <Loaded query={query} what="待定奖励">
      {({ waiting, oldestAt }) => (
        <Box sx={{ p: 2 }}>
          <Figure
            name="等待处理"
            value={count(waiting)}
            note={waiting > 0 ? `最早一条来自 ${ago(oldestAt)}` : "全部处理完毕"}
            to="/invitations?state=held"
          />
        </Box>
      )}
    </Loaded>
  );
}
