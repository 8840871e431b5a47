import Box from "@mui/material/Box";
import { type Column, DataTable } from "@/ui/DataTable";
import type { ProcessJobItem } from "../../api/generated/process";
import { useJobSearchQuery } from "../../api/generated/process";
import { wordOf } from "../../kit/choices";
import { count, minute } from "../../kit/format";
import { RowLink } from "../../kit/RowLink";
import { State } from "../../kit/State";
import { Loaded, Nothing } from "../../kit/states";
import { jobPath, KINDS, STATES } from "./words";

const SHOWN = 8;

const COLUMNS: readonly Column<ProcessJobItem>[] = [
  {
    key: "kind",
    title: "任务",
    render: (job) => <RowLink to={jobPath(job.id)}>{wordOf(KINDS, job.kind).text}</RowLink>,
  },
  { key: "state", title: "状态", render: (job) => <State words={STATES} value={job.state} /> },
  { key: "attempts", title: "尝试", numeric: true, render: (job) => count(job.attempts) },
  { key: "created", title: "提交时间", numeric: true, render: (job) => minute(job.createdAt) },
];

/** The last jobs of one user. */
export default function JobsPanel({ loginId }: { loginId: string }) {
  const query = useJobSearchQuery({ owner: loginId, size: SHOWN }, { refetchOnMountOrArgChange: true });
  return (
    <Loaded query={query} what="处理任务">
      {({ jobs, next }) => (
        <>
          <DataTable
            caption="该用户的处理任务"
            columns={COLUMNS}
            rows={jobs}
            rowKey={(job) => job.id}
            empty={<Nothing title="还没有处理任务" />}
          />
          {next && (
            <Box sx={{ px: 2, py: 1.5, fontSize: 13 }}>
              <RowLink to={`/jobs?owner=${encodeURIComponent(loginId)}`}>查看全部任务</RowLink>
            </Box>
          )}
        </>
      )}
    </Loaded>
  );
}
