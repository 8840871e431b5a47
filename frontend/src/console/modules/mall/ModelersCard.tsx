import Box from "@mui/material/Box";
import { useModelerSearchQuery } from "../../api/generated/transaction";
import { ago, count } from "../../kit/format";
import { Figure } from "../../kit/page";
import { Loaded } from "../../kit/states";
import { usePolling } from "../../kit/usePolling";

/** Number and age of pending maker applications. */
export default function ModelersCard() {
  const query = useModelerSearchQuery({ size: 1 }, usePolling(60_000));
  return (
    <Loaded query={query} what="入驻申请">
      {({ waiting, modelers }) => (
        <Box sx={{ p: 2 }}>
          <Figure
            name="等待审核"
            value={count(waiting)}
            note={modelers[0] ? `最早申请于 ${ago(modelers[0].appliedAt)}` : "全部处理完毕"}
            to="/mall/modelers"
          />
        </Box>
      )}
    </Loaded>
  );
}
