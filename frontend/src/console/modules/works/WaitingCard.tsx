import Box from "@mui/material/Box";
import { useWorkSearchQuery } from "../../api/generated/works";
import { ago, count } from "../../kit/format";
import { Figure } from "../../kit/page";
import { Loaded } from "../../kit/states";
import { usePolling } from "../../kit/usePolling";

/** Number and age of pending works. */
export default function WaitingCard() {
  const query = useWorkSearchQuery({ state: "review", size: 1 }, usePolling(60_000));
  return (
    <Loaded query={query} what="待审作品">
      {({ waiting, works }) => (
        <Box sx={{ p: 2 }}>
          <Figure
            name="等待审核"
            value={count(waiting)}
            note={works[0] ? `最早提交于 ${ago(works[0].submittedAt)}` : "全部处理完毕"}
            to="/works"
          />
        </Box>
      )}
    </Loaded>
  );
}
