import Box from "@mui/material/Box";

import { ago } from "../../kit/format";
import { Timeline } from "../../kit/page";
import { useNameOf } from "../../kit/parts";
import { RowLink } from "../../kit/RowLink";
import { Loaded, Nothing } from "../../kit/states";
import { usePolling } from "../../kit/usePolling";
import { useAuditSearchQuery } from "./calls";
import { operatorOf } from "./words";

const SHOWN = 4;

/** The operators' latest actions. */
export default function LastActsCard() {
  const nameOf = useNameOf();
  const query = useAuditSearchQuery({ size: SHOWN }, usePolling(60_000));
  return (
    <Loaded query={query} what="最近操作">
      {({ entries }) =>
        entries.length === 0 ? (
          <Nothing title="还没有操作" />
        ) : (
          <Box sx={{ p: 2 }}>
            <Timeline
              entries={entries.map((entry) => ({
                id: entry.id,
                time: ago(entry.at),
                title: nameOf(entry.call),
                detail: `${operatorOf(entry)}${entry.reason ? `：${entry.reason}` : ""}`,
              }))}
            />
            <Box sx={{ mt: 2, fontSize: 13 }}>
              <RowLink to="/log">操作日志</RowLink>
            </Box>
          </Box>
        )
      }
    </Loaded>
  );
}
