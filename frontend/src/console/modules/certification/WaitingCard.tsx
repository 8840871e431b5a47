import Box from "@mui/material/Box";
import { useCertificationQueueQuery } from "../../api/generated/auth";
import { ago, count } from "../../kit/format";
import { Figure } from "../../kit/page";
import { Loaded } from "../../kit/states";
import { usePolling } from "../../kit/usePolling";

/** Number and age of pending requests. */
export default function WaitingCard() {
  const query = useCertificationQueueQuery({ size: 1 }, usePolling(60_000));
  return (
    <Loaded query={query} what="待审认证">
      {({ waiting, oldestAt }) => (
        <Box sx={{ p: 2 }}>
          <Figure
            name="等待审核"
            value={count(waiting)}
            note={waiting > 0 ? `最早提交于 ${ago(oldestAt)}` : "全部处理完毕"}
            to="/certification"
          />
        </Box>
      )}
    </Loaded>
  );
}
