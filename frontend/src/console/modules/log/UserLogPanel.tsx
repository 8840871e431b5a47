import Box from "@mui/material/Box";

import { moment } from "../../kit/format";
import { Timeline } from "../../kit/page";
import { useNameOf } from "../../kit/parts";
import { RowLink } from "../../kit/RowLink";
import { Loaded, Nothing } from "../../kit/states";
import { useAuditSearchQuery } from "./calls";
import { operatorOf } from "./words";

const SHOWN = 10;

/** Operators' actions on one user. */
export default function UserLogPanel({ loginId }: { loginId: string }) {
  const nameOf = useNameOf();
  const query = useAuditSearchQuery({ target: loginId, size: SHOWN }, { refetchOnMountOrArgChange: true });
  return (
    <Loaded query={query} what="操作记录">
      {({ entries, next }) =>
        entries.length === 0 ? (
          <Nothing title="还没有操作记录" />
        ) : (
          <Box sx={{ p: 2 }}>
            <Timeline
              entries={entries.map((entry) => ({
                id: entry.id,
                time: moment(entry.at),
                title: `${operatorOf(entry)} · ${nameOf(entry.call)}`,
                detail: entry.reason,
              }))}
            />
            {next && (
              <Box sx={{ mt: 2, fontSize: 13 }}>
                <RowLink to={`/log?target=${encodeURIComponent(loginId)}`}>查看全部操作记录</RowLink>
              </Box>
            )}
          </Box>
        )
      }
    </Loaded>
  );
}
