import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useEffect, useMemo, useState } from "react";
import { Link as RouterLink, useSearchParams } from "react-router";
import { type ProcessSourceFile, useFileDetailQuery } from "@/calls/process";
import { HealthPanel, MaterialsPanel, readCheckReport, StatisticsPanel } from "@/features/report";
import { markAsked } from "@/lib/asked";
import { formatBytes } from "@/ui/bytes";
import { dateText } from "@/ui/dateText";
import { EmptyState } from "@/ui/EmptyState";
import ArrowBack from "@/ui/icons/ArrowBack";
import { StageSkeleton } from "@/ui/Skeletons";
import { StatusTag } from "@/ui/StatusTag";
import { dropEarly, type FactPanel, ModelView, viewerAhead } from "@/viewer";
import { useDownload } from "./download";
import { NameDialog } from "./FileDialogs";
import { servicePath, servicesOf } from "./FileList";
import { fileStatus, LISTING_PATH } from "./status";

/** One source file: the viewer with the report beside it. */
export function SourceFilePage() {
  const [query] = useSearchParams();
  const fileId = query.get("fileId") ?? "";
  const { data: file, isLoading, isError, refetch } = useFileDetailQuery({ fileId }, { skip: fileId === "" });
  // beside the call, not after it
  useEffect(viewerAhead, []);
  // where the page is left before its stage is drawn
  useEffect(() => dropEarly, []);

  if (fileId === "") {
    return (
      <EmptyState
        heading="h1"
        kind="search"
        title="没有指定要查看的文件"
        hint="请从“我的上传”中选择一个模型。"
        action={
          <Button component={RouterLink} to="/workbench/myUpload" variant="contained">
            前往我的上传
          </Button>
        }
      />
    );
  }
  if (isError) {
    return (
      <EmptyState
        heading="h1"
        kind="error"
        title="文件没有读取成功"
        hint="它可能已被删除，或网络中断。"
        action={
          <>
            <Button component={RouterLink} to="/workbench/myUpload">
              返回我的上传
            </Button>
            <Button variant="contained" onClick={() => void refetch()}>
              重试
            </Button>
          </>
        }
      />
    );
  }
  if (isLoading || !file) return <StageSkeleton label="正在读取文件" />;
  return (
    <Loaded
      file={file}
      onStale={() => {
        markAsked();
        void refetch();
      }}
    />
  );
}

function Loaded({ file, onStale }: { file: ProcessSourceFile; onStale: () => void }) {
  const report = useMemo(() => readCheckReport(file.report), [file.report]);
  const [naming, setNaming] = useState<"rename" | "release">();
  const { download, busy } = useDownload();
  const status = fileStatus(file);
  const name = file.modelName || file.fileName;
  const panels = useMemo<FactPanel[]>(() => {
    if (!report) return [];
    return [
      {
        id: "health",
        label: "体检",
        node: (
          <HealthPanel
            report={report}
            action={
              report.recommendation.lightweight ? (
                <Button
                  component={RouterLink}
                  to={servicePath(file.fileId, "lightweight")}
                  variant="outlined"
                  fullWidth
                >
                  前往轻量化服务
                </Button>
              ) : undefined
            }
          />
        ),
      },
      { id: "statistics", label: "数据", node: <StatisticsPanel report={report} /> },
      { id: "materials", label: "材质", node: <MaterialsPanel report={report} /> },
    ];
  }, [report, file.fileId]);

  return (
    <>
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 1.5, mb: 2 }}>
        <Button
          component={RouterLink}
          to="/workbench/myUpload"
          color="inherit"
          size="small"
          startIcon={<ArrowBack />}
          sx={{ minWidth: 0 }}
        >
          我的上传
        </Button>
        <Box component="h1" sx={{ m: 0, fontSize: 20, fontWeight: 600, overflowWrap: "anywhere" }}>
          {name}
        </Box>
        <span title={status.note}>
          <StatusTag tone={status.tone}>{status.text}</StatusTag>
        </span>
        <Box sx={{ fontSize: 12, color: "text.secondary" }}>
          {[file.format.toUpperCase(), formatBytes(file.fileSize), dateText(file.createTime)].join("　")}
        </Box>
        <Box
          sx={{
            ml: { md: "auto" },
            display: "flex",
            gap: { xs: 0.5, sm: 1 },
            "& .MuiButton-root": { px: { xs: 1, sm: 1.5 }, minWidth: 0, whiteSpace: "nowrap" },
          }}
        >
          <Button size="small" onClick={() => setNaming("rename")}>
            重命名
          </Button>
          <Button size="small" loading={busy} onClick={() => void download({ fileId: file.fileId })}>
            下载
          </Button>
          {file.status === "ready" && (
            <>
              {file.released ? (
                <Button size="small" component={RouterLink} to={LISTING_PATH} title={status.note}>
                  去上架
                </Button>
              ) : (
                <Button size="small" variant="outlined" onClick={() => setNaming("release")}>
                  发布
                </Button>
              )}
              {servicesOf(file)
                .toReversed()
                .map(({ type, title }, i, all) => (
                  <Button
                    key={type}
                    size="small"
                    component={RouterLink}
                    to={servicePath(file.fileId, type)}
                    variant={i === all.length - 1 ? "contained" : "outlined"}
                  >
                    {title}
                  </Button>
                ))}
            </>
          )}
        </Box>
      </Box>
      {file.previewUrl ? (
        <Box sx={{ ...stage, height: { xs: "calc(100svh - 330px)", md: "calc(100vh - 200px)" } }}>
          <ModelView
            url={file.previewUrl}
            proxyUrl={file.proxyUrl || undefined}
            counted={report !== undefined}
            posterUrl={file.thumbUrl ?? undefined}
            name={name}
            panels={panels}
          />
        </Box>
      ) : (
        <Box sx={{ ...stage, height: "auto" }}>
          <EmptyState
            kind={file.status === "failed" ? "error" : "models"}
            title={file.status === "failed" ? "体检未通过，没有可显示的预览" : "正在体检，预览稍后生成"}
            hint={file.tips ?? "体检完成后刷新本页即可查看。"}
            action={<Button onClick={onStale}>刷新</Button>}
          />
          {report && (
            <Box sx={{ p: 3, maxWidth: 560, mx: "auto" }}>
              <HealthPanel report={report} />
            </Box>
          )}
        </Box>
      )}
      <NameDialog
        file={naming ? file : undefined}
        release={naming === "release"}
        onClose={() => setNaming(undefined)}
      />
    </>
  );
}

const stage = {
  minHeight: 360,
  borderRadius: 2,
  overflow: "hidden",
  border: 1,
  borderColor: "divider",
} as const;
