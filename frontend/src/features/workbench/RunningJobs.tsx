import Box from "@mui/material/Box";
import LinearProgress from "@mui/material/LinearProgress";
import { Link } from "react-router";
import type { ProcessServiceResult, ProcessSourceFile } from "@/calls/process";
import { EmptyState } from "@/ui/EmptyState";
import { LinesSkeleton } from "@/ui/Skeletons";

/** Pushed progress by result id. */
export type Progress = Record<string, { percent: number; tips: string }>;

const SERVICES: Record<string, string> = { lightweight: "轻量化", convert: "格式转换" };

function Job({ title, note, percent, to }: { title: string; note: string; percent?: number; to: string }) {
  return (
    <Box component="li" sx={{ px: 2.5, py: 1.5, borderTop: 1, borderColor: "divider" }}>
      <Box sx={{ display: "flex", justifyContent: "space-between", gap: 2 }}>
        <Box
          component={Link}
          to={to}
          sx={{
            color: "text.primary",
            textDecoration: "none",
            fontWeight: 500,
            minWidth: 0,
            overflow: "hidden",
            textOverflow: "ellipsis",
            whiteSpace: "nowrap",
          }}
        >
          {title}
        </Box>
        <Box sx={{ flex: "none", fontVariantNumeric: "tabular-nums", color: "text.secondary" }}>
          {percent === undefined ? "" : `${percent}%`}
        </Box>
      </Box>
      <LinearProgress
        aria-label={`${title}的进度`}
        variant={percent === undefined ? "indeterminate" : "determinate"}
        value={percent}
        sx={{ my: 1, height: 4, borderRadius: 2 }}
      />
      <Box sx={{ fontSize: 12, lineHeight: "18px", color: "text.secondary" }}>{note}</Box>
    </Box>
  );
}

/** What is being worked on now: check-ups, and services that wait or run. */
export function RunningJobs({ files, results, progress, loading }: RunningJobsProps) {
  if (loading) {
    return (
      <Box sx={{ px: 2.5, pb: 2.5 }}>
        <LinesSkeleton />
      </Box>
    );
  }
  const checking = files.filter((file) => file.status === "checking");
  const running = results.filter((result) => result.status === "running" || result.status === "queued");
  if (checking.length + running.length === 0) {
    return <EmptyState dense kind="results" title="没有进行中的任务" />;
  }
  return (
    <Box component="ul" sx={{ m: 0, p: 0, listStyle: "none" }}>
      {running.map((result) => (
        <Job
          key={result.resultId}
          title={`${result.modelName || result.fileName} · ${SERVICES[result.serviceType] ?? result.serviceType}`}
          note={
            progress[result.resultId]?.tips ||
            (result.status === "queued" ? "排队中" : result.tips || "处理中")
          }
          percent={
            progress[result.resultId]?.percent ??
            (result.status === "queued" ? undefined : Number(result.percent))
          }
          to={`/workbench/serviceResult/details?resultId=${encodeURIComponent(result.resultId)}`}
        />
      ))}
      {checking.map((file) => (
        <Job
          key={file.fileId}
          title={`${file.modelName || file.fileName} · 体检`}
          note="正在体检"
          to={`/workbench/myUpload/sourceFile?fileId=${encodeURIComponent(file.fileId)}`}
        />
      ))}
    </Box>
  );
}

interface RunningJobsProps {
  files: readonly ProcessSourceFile[];
  results: readonly ProcessServiceResult[];
  /** Newer than the list: what was pushed since it was read. */
  progress: Progress;
  loading: boolean;
}
