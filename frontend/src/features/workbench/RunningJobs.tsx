import Box from "@mui/material/Box";
import LinearProgress from "@mui/material/LinearProgress";
import { Link } from "react-router";
import type { ProcessServiceResult, ProcessSourceFile } from "@/calls/process";
import { serviceNames } from "@/features/processing";
import { formatBytes } from "@/ui/bytes";
import { EmptyState } from "@/ui/EmptyState";
import { LinesSkeleton } from "@/ui/Skeletons";
import { Thumb } from "@/ui/Thumb";

/** Pushed progress by result id. */
export type Progress = Record<string, { percent: number; tips: string }>;

/** Finished results shown while nothing runs. */
const LATEST = 4;

const resultPath = (resultId: string) =>
  `/workbench/serviceResult/details?resultId=${encodeURIComponent(resultId)}`;

/** The latest results, instead of an empty panel. */
function Latest({ results }: { results: readonly ProcessServiceResult[] }) {
  return (
    <>
      <Box sx={{ px: 2.5, pb: 1.25, fontSize: 12, color: "text.secondary" }}>
        没有进行中的任务，最近完成的：
      </Box>
      <Box component="ul" aria-label="最近完成" sx={{ m: 0, p: 0, listStyle: "none" }}>
        {results.map((result) => (
          <Box
            component="li"
            key={result.resultId}
            sx={{
              px: 2.5,
              py: 1.25,
              borderTop: 1,
              borderColor: "divider",
              display: "flex",
              alignItems: "center",
              gap: 1.5,
            }}
          >
            <Thumb src={result.thumbUrl} />
            <Box sx={{ minWidth: 0, flex: 1 }}>
              <Box
                component={Link}
                to={resultPath(result.resultId)}
                sx={{
                  display: "block",
                  overflow: "hidden",
                  textOverflow: "ellipsis",
                  whiteSpace: "nowrap",
                  fontWeight: 500,
                  color: "text.primary",
                  textDecoration: "none",
                  "&:hover": { color: "primary.main" },
                }}
              >
                {result.modelName || result.fileName}
              </Box>
              <Box sx={{ fontSize: 12, lineHeight: "18px", color: "text.secondary" }}>
                {serviceNames[result.serviceType] ?? result.serviceType}
              </Box>
            </Box>
            <Box
              sx={{
                flex: "none",
                textAlign: "right",
                fontSize: 12,
                lineHeight: "18px",
                color: "text.secondary",
                fontVariantNumeric: "tabular-nums",
              }}
            >
              {formatBytes(Number(result.sourceSize))}
              <Box sx={{ fontSize: 14, lineHeight: "20px", fontWeight: 600, color: "text.primary" }}>
                → {formatBytes(Number(result.fileSize))}
              </Box>
            </Box>
          </Box>
        ))}
      </Box>
    </>
  );
}

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

/** Current work: check-ups, and queued or running services. */
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
    const latest = results.filter((result) => result.status === "done").slice(0, LATEST);
    if (latest.length === 0) return <EmptyState dense kind="results" title="没有进行中的任务" />;
    return <Latest results={latest} />;
  }
  return (
    <Box component="ul" sx={{ m: 0, p: 0, listStyle: "none" }}>
      {running.map((result) => (
        <Job
          key={result.resultId}
          title={`${result.modelName || result.fileName} · ${serviceNames[result.serviceType] ?? result.serviceType}`}
          note={
            progress[result.resultId]?.tips ||
            (result.status === "queued" ? "排队中" : result.tips || "处理中")
          }
          percent={
            progress[result.resultId]?.percent ??
            (result.status === "queued" ? undefined : Number(result.percent))
          }
          to={resultPath(result.resultId)}
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
  /** Progress pushed since the list was loaded. */
  progress: Progress;
  loading: boolean;
}
