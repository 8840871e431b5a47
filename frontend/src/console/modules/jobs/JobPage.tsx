import Box from "@mui/material/Box";
import { useNavigate, useParams } from "react-router";
import { monoFamily } from "@/theme";
import { formatBytes } from "@/ui/bytes";
import { toast } from "@/ui/toast";
import type { ProcessJobDetail } from "../../api/generated/process";
import { useJobCancelMutation, useJobRetryMutation, useJobShowQuery } from "../../api/generated/process";
import { wordOf } from "../../kit/choices";
import { count, moment, shown } from "../../kit/format";
import { Card, Facts, PageTitle } from "../../kit/page";
import { RowLink } from "../../kit/RowLink";
import { DecisionBar } from "../../kit/reason";
import { State } from "../../kit/State";
import { Loaded } from "../../kit/states";
import { usePolling } from "../../kit/usePolling";
import { useMay } from "../../session/slice";
import { EVERY_MS } from "./period";
import { jobPath, KINDS, STATES } from "./words";

const sizeOf = (bytes: number): string => (bytes > 0 ? formatBytes(bytes) : "—");

/** One job: its input, its attempts, and the possible actions. */
export default function JobPage() {
  const { id = "" } = useParams();
  const query = useJobShowQuery({ id }, usePolling(EVERY_MS));
  return (
    <Loaded query={query} what="任务" rows={8}>
      {(found) => (
        <>
          <PageTitle
            back={{ to: "/jobs", text: "处理任务" }}
            title={wordOf(KINDS, found.job.kind).text}
            name={`${wordOf(KINDS, found.job.kind).text}：${found.fileName || found.job.id}`}
            state={<State words={STATES} value={found.job.state} />}
            actions={<Decisions found={found} />}
          />
          <Box sx={{ display: "grid", gridTemplateColumns: "minmax(0, 1fr)", gap: 2 }}>
            <Card title="任务">
              <Facts facts={factsOf(found)} />
            </Card>
            <Card title="最近一次错误">
              {found.job.error ? (
                <Box
                  sx={{
                    fontFamily: monoFamily,
                    fontSize: 13,
                    whiteSpace: "pre-wrap",
                    overflowWrap: "anywhere",
                  }}
                >
                  {found.job.error}
                </Box>
              ) : (
                <Box sx={{ fontSize: 13, color: "text.secondary" }}>没有记录到错误。</Box>
              )}
            </Card>
          </Box>
        </>
      )}
    </Loaded>
  );
}

function factsOf({ job, ...found }: ProcessJobDetail) {
  return [
    [
      "用户",
      <RowLink key="owner" to={`/users/${encodeURIComponent(job.owner)}`}>
        {job.owner}
      </RowLink>,
    ],
    ["文件", found.fileName || "文件已删除"],
    ["文件大小", sizeOf(found.fileSize)],
    ["尝试次数", `${count(job.attempts)}，出错时最多 ${count(found.maxAttempts)} 次`],
    ["让出次数", `${count(found.yields)}，让更急的任务先做`],
    ["提交时间", moment(job.createdAt)],
    ["更新时间", moment(job.updatedAt)],
    ["租约到期", moment(found.leaseUntil)],
    ["等待依赖", found.putOffAt > 0 ? `自 ${moment(found.putOffAt)} 起` : "否"],
    ["用户所见", shown(found.tips)],
    ["文件编号", shown(job.fileId)],
    ["结果编号", shown(job.resultId)],
    ["任务编号", job.id],
    ["链路编号", shown(found.traceId)],
  ] as const;
}

function Decisions({ found }: { found: ProcessJobDetail }) {
  const may = useMay();
  const navigate = useNavigate();
  const [retry] = useJobRetryMutation();
  const [cancel] = useJobCancelMutation();
  const { id } = found.job;
  return (
    <DecisionBar
      decisions={[
        {
          id: "retry",
          text: "重试",
          title: "重试任务",
          main: true,
          allowed: may("job.manage") && found.canRetry,
          note: "会提交一个新任务重新处理，用户会看到它重新排队。",
          templates: ["引擎问题已修复", "依赖已恢复", "用户申诉"],
          onConfirm: async (reason) => {
            const made = await retry({ id, reason }).unwrap();
            toast.success("已重新排队");
            navigate(jobPath(made.id));
          },
        },
        {
          id: "cancel",
          text: "取消任务",
          danger: true,
          allowed: may("job.manage") && found.canCancel,
          note: "任务不再处理。用户会看到它已由平台取消，可以重新提交。",
          templates: ["占用资源过多", "重复提交", "文件异常"],
          onConfirm: async (reason) => {
            await cancel({ id, reason }).unwrap();
            toast.success("任务已取消");
          },
        },
      ]}
    />
  );
}
