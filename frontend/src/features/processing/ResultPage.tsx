import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import LinearProgress from "@mui/material/LinearProgress";
import { useMemo, useState } from "react";
import { Link as RouterLink, useNavigate, useSearchParams } from "react-router";
import { type ProcessServiceResult, useServiceDetailQuery } from "@/calls/process";
import { ProblemList, readResultReport, readTilesReport } from "@/features/report";
import { servicePath, useDownload } from "@/features/sourceFiles";
import { formatBytes } from "@/ui/bytes";
import { dateText } from "@/ui/dateText";
import { EmptyState } from "@/ui/EmptyState";
import ArrowBack from "@/ui/icons/ArrowBack";
import { StageSkeleton } from "@/ui/Skeletons";
import { StatusTag } from "@/ui/StatusTag";
import { CompareView, ModelView, TilesView } from "@/viewer";
import { DeleteResultDialog } from "./DeleteResultDialog";
import { PackageResult } from "./PackageResult";
import { describeParams, serviceNames } from "./params";
import { ResultFeedback } from "./ResultFeedback";
import { frame, ReportSections, stage } from "./resultParts";
import { Section } from "./ServicePage";
import { isOpen, resultStatus, stageText } from "./status";
import { type Progress, useProgress } from "./useProgress";

const LIST = "/workbench/serviceResult";

/** One result: its progress while it runs, then the comparison of before and after. */
export function ResultPage() {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const resultId = query.get("resultId") ?? "";
  const detail = useServiceDetailQuery({ resultId }, { skip: resultId === "" });
  const result = detail.data;
  const progress = useProgress(result);
  const { download, busy } = useDownload();
  const [deleting, setDeleting] = useState(false);

  if (resultId === "" || detail.isError) {
    return (
      <EmptyState
        heading="h1"
        kind={resultId === "" ? "search" : "error"}
        title={resultId === "" ? "没有指定要查看的结果" : "结果没有读取成功"}
        hint={resultId === "" ? "请从服务结果列表中选择。" : "它可能已被删除，或网络中断。"}
        action={
          <>
            <Button component={RouterLink} to={LIST}>
              返回服务结果
            </Button>
            {resultId !== "" && (
              <Button variant="contained" onClick={() => void detail.refetch()}>
                重试
              </Button>
            )}
          </>
        }
      />
    );
  }
  if (!result) return <StageSkeleton label="正在读取结果" />;

  const status = resultStatus(result.status);
  return (
    <>
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 1.5, mb: 2 }}>
        <Button
          component={RouterLink}
          to={LIST}
          color="inherit"
          size="small"
          startIcon={<ArrowBack />}
          sx={{ minWidth: 0 }}
        >
          服务结果
        </Button>
        <Box component="h1" sx={{ m: 0, fontSize: 20, fontWeight: 600, overflowWrap: "anywhere" }}>
          {result.modelName || result.fileName}
        </Box>
        <StatusTag tone={status.tone}>{status.text}</StatusTag>
        <Box sx={{ fontSize: 12, color: "text.secondary" }}>
          {[
            serviceNames[result.serviceType] ?? result.serviceType,
            describeParams(result.serviceType, result.params),
            dateText(result.createTime),
          ]
            .filter(Boolean)
            .join("　")}
        </Box>
        <Box sx={{ ml: { md: "auto" }, display: "flex", gap: 1 }}>
          <Button size="small" color="inherit" onClick={() => setDeleting(true)}>
            删除
          </Button>
          <Button
            size="small"
            variant="outlined"
            component={RouterLink}
            to={servicePath(result.fileId, result.serviceType)}
          >
            换参数再做
          </Button>
          {result.status === "done" && (
            <Button
              size="small"
              variant="contained"
              loading={busy}
              onClick={() => void download({ resultId })}
            >
              下载结果
            </Button>
          )}
        </Box>
      </Box>
      {isOpen(result.status) && <Running progress={progress ?? result} />}
      {result.status === "failed" && (
        <Alert
          severity="error"
          action={
            <Button
              component={RouterLink}
              to={servicePath(result.fileId, result.serviceType)}
              color="inherit"
              size="small"
            >
              重新提交
            </Button>
          }
        >
          {result.tips || "处理没有完成，请换一组参数重试，或联系客服。"}
        </Alert>
      )}
      {result.status === "done" &&
        (result.serviceType === "tile" ? (
          <Tileset result={result} />
        ) : result.serviceType === "amrt" || result.serviceType === "offline" ? (
          <PackageResult result={result} />
        ) : (
          <Done result={result} />
        ))}
      {(result.status === "done" || result.status === "failed") && (
        <ResultFeedback key={resultId} resultId={resultId} />
      )}
      <DeleteResultDialog
        result={deleting ? result : undefined}
        onClose={() => setDeleting(false)}
        onDeleted={() => navigate(LIST)}
      />
    </>
  );
}

function Running({ progress }: { progress: Progress }) {
  const waiting = progress.status === "queued";
  return (
    <Section title={waiting ? "排队中" : "正在处理"}>
      <LinearProgress
        aria-label="处理进度"
        variant={waiting ? "indeterminate" : "determinate"}
        value={progress.percent}
        sx={{ height: 6, borderRadius: 3 }}
      />
      <Box
        role="status"
        sx={{ display: "flex", justifyContent: "space-between", gap: 2, mt: 1, color: "text.secondary" }}
      >
        <span>{progress.tips || stageText(progress.stage) || "任务已提交，等待空闲的处理器"}</span>
        <Box component="span" sx={{ fontVariantNumeric: "tabular-nums" }}>{`${progress.percent}%`}</Box>
      </Box>
      <Box sx={{ mt: 2, fontSize: 12, color: "text.secondary" }}>可以离开本页，完成后在服务结果中查看。</Box>
    </Section>
  );
}

function Done({ result }: { result: ProcessServiceResult }) {
  const report = useMemo(() => readResultReport(result.report), [result.report]);
  const name = result.modelName || result.fileName;
  const compare = result.sourcePreviewUrl && result.previewUrl && report;
  return (
    <Box sx={stage}>
      <Box sx={frame}>
        {compare && result.sourcePreviewUrl && result.previewUrl ? (
          <CompareView
            before={{
              url: result.sourcePreviewUrl,
              label: "原始模型",
              bytes: result.sourceSize,
              triangles: report.input.triangles,
            }}
            after={{
              url: result.previewUrl,
              label: result.serviceType === "convert" ? `转换后 ${result.format.toUpperCase()}` : "轻量后",
              bytes: result.fileSize,
              triangles: report.output.triangles,
            }}
            error={report.error}
          />
        ) : result.previewUrl ? (
          <ModelView
            url={result.previewUrl}
            posterUrl={result.thumbUrl ?? undefined}
            name={name}
            factsOpen={false}
          />
        ) : (
          <Box
            sx={{
              height: "100%",
              border: 1,
              borderColor: "divider",
              borderRadius: 2,
              display: "grid",
              placeItems: "center",
            }}
          >
            <EmptyState
              kind="results"
              title="结果已生成"
              hint="这个结果没有在线预览，下载后可以在其他软件中打开。"
            />
          </Box>
        )}
      </Box>
      <Box sx={{ display: "grid", gap: 2, alignContent: "start" }}>
        {report && <ReportSections report={report} result={result} />}
      </Box>
    </Box>
  );
}

/** A finished tileset: the tiles and their figures. */
function Tileset({ result }: { result: ProcessServiceResult }) {
  const report = useMemo(() => readTilesReport(result.report), [result.report]);
  const count = (n: number) => n.toLocaleString("zh-CN");
  const place = report?.georeference;
  const rows: [string, string][] = [
    ["来源", report?.kind === "oblique" ? "倾斜摄影" : "单个模型"],
    ["原文件", formatBytes(result.sourceSize)],
    ["瓦片包", formatBytes(result.fileSize)],
    ["瓦片", count(report?.output.tiles ?? 0)],
    ["层级", count(report?.output.depth ?? 0)],
    ["最细层三角面", count(report?.output.triangles ?? 0)],
    ["位置", place ? `${place.latitude.toFixed(6)}°, ${place.longitude.toFixed(6)}°` : "本地坐标"],
  ];
  if (place) rows.push(["椭球高", `${place.height.toFixed(1)} 米`]);
  if (report?.seconds !== undefined) rows.push(["用时", `${report.seconds.toFixed(1)} 秒`]);
  return (
    <Box sx={stage}>
      <Box sx={frame}>
        {result.previewUrl && (
          <TilesView url={result.previewUrl} name={result.modelName || result.fileName} />
        )}
      </Box>
      <Box sx={{ display: "grid", gap: 2, alignContent: "start" }}>
        <Section title="瓦片数据">
          <Box
            component="dl"
            sx={{
              m: 0,
              display: "grid",
              gridTemplateColumns: "auto 1fr",
              gap: 1,
              fontSize: 13,
              fontVariantNumeric: "tabular-nums",
            }}
          >
            {rows.map(([label, value]) => (
              <Box key={label} sx={{ display: "contents" }}>
                <Box component="dt" sx={{ color: "text.secondary" }}>
                  {label}
                </Box>
                <Box component="dd" sx={{ m: 0, textAlign: "right", overflowWrap: "anywhere" }}>
                  {value}
                </Box>
              </Box>
            ))}
          </Box>
          <Box sx={{ mt: 1.5, fontSize: 12, color: "text.secondary" }}>
            下载的 zip 解开后，入口是 tileset.json，可用于 Cesium 等支持 3D Tiles 1.1 的软件。
          </Box>
        </Section>
        {report && report.problems.length > 0 && (
          <Section title={`说明 ${report.problems.length}`}>
            <ProblemList problems={report.problems} />
          </Section>
        )}
      </Box>
    </Box>
  );
}
