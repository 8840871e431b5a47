import Box from "@mui/material/Box";
import { useListingSearchQuery } from "../../api/generated/transaction";
import { ago, count } from "../../kit/format";
import { Figure } from "../../kit/page";
import { Loaded } from "../../kit/states";
import { usePolling } from "../../kit/usePolling";

/** Number and age of pending listings. */
export default function WaitingCard() {
  const query = useListingSearchQuery({ size: 1 }, usePolling(60_000));
  return (
    <Loaded query={query} what="待审模型">
      {({ waiting, listings }) => (
        <Box sx={{ p: 2 }}>
          <Figure
            name="等待审核"
            value={count(waiting)}
            note={listings[0] ? `最早提交于 ${ago(listings[0].submittedAt)}` : "全部处理完毕"}
            to="/mall"
          />
        </Box>
      )}
    </Loaded>
  );
}
