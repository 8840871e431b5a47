import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import LinearProgress from "@mui/material/LinearProgress";
import Link from "@mui/material/Link";
import { useState } from "react";
import { Link as RouterLink } from "react-router";
import { invalidateProcess, type ProcessServiceResult, useCardListQuery } from "@/calls/process";
import { useDownload } from "@/features/sourceFiles";
import { useQueue } from "@/realtime";
import { useAppDispatch } from "@/store/hooks";
import { formatBytes } from "@/ui/bytes";
import { dateText } from "@/ui/dateText";
import { ChoiceFilter, ListPage, RowList, useListAddress } from "@/ui/list";
import { PageHeader } from "@/ui/PageHeader";
import { TableSkeleton } from "@/ui/Skeletons";
import { StatusTag } from "@/ui/StatusTag";
import { Thumb } from "@/ui/Thumb";
import { DeleteResultDialog } from "./DeleteResultDialog";
import { describeParams, serviceNames } from "./params";
import { isOpen, resultPath, resultStatus, resultStatuses, stageText } from "./status";

const POLL_MS = 10_000;

/** All results, newest first, with live progress. */
export function ResultList() {
  const dispatch = useAppDispatch();
  const list = useListAddress({ fields: ["serviceType", "status"] });
  const [live, setLive] = useState<Record<string, { percent: number; stage: string }>>({});
  const [deleting, setDeleting] = useState<ProcessServiceResult>();
  const { download } = useDownload();

  const { connected } = useQueue("SERVICE", (message) => {
    if (isOpen(message.status)) {
      setLive((old) => ({ ...old, [message.id]: { percent: message.percent, stage: message.stage } }));
    } else dispatch(invalidateProcess(["Results"]));
  });
  const results = useCardListQuery(list.request, {
    pollingInterval: connected ? 0 : POLL_MS,
    refetchOnMountOrArgChange: true,
  });

  return (
    <>
      <PageHeader
        title="服务结果"
        note="处理完成的文件，可以在线查看和下载"
        actions={
          <Button component={RouterLink} to="/workbench/service" variant="contained">
            新建服务
          </Button>
        }
      />
      <ListPage
        what="结果"
        query={results}
        list={list}
        filters={
          <>
            <ChoiceFilter list={list} name="serviceType" label="服务" all="全部服务" choices={serviceNames} />
            <ChoiceFilter list={list} name="status" label="状态" all="全部状态" choices={resultStatuses} />
          </>
        }
        skeleton={<TableSkeleton rows={5} columns={5} />}
        empty={{
          kind: "results",
          title: "还没有服务结果",
          hint: "选一个模型做轻量化，几秒钟就能看到前后对比。",
          action: (
            <Button component={RouterLink} to="/workbench/service" variant="contained">
              选择模型
            </Button>
          ),
        }}
      >
        {(rows) => (
          <RowList label="服务结果">
            {rows.map((result) => (
              <ResultRow
                key={result.resultId}
                result={result}
                live={live[result.resultId]}
                onDownload={() => void download({ resultId: result.resultId })}
                onDelete={() => setDeleting(result)}
              />
            ))}
          </RowList>
        )}
      </ListPage>
      <DeleteResultDialog result={deleting} onClose={() => setDeleting(undefined)} />
    </>
  );
}

function ResultRow({
  result,
  live,
  onDownload,
  onDelete,
}: {
  result: ProcessServiceResult;
  live: { percent: number; stage: string } | undefined;
  onDownload: () => void;
  onDelete: () => void;
}) {
  const status = resultStatus(result.status);
  const open = isOpen(result.status);
  const percent = Math.max(result.percent, live?.percent ?? 0);
  const saved = result.sourceSize > 0 ? (1 - result.fileSize / result.sourceSize) * 100 : 0;
  return (
    <Box
      component="li"
      sx={{
        display: "grid",
        gridTemplateColumns: { xs: "1fr auto", lg: "minmax(0, 1.2fr) minmax(0, 1fr) 190px 92px 168px" },
        gap: { xs: 1, lg: 2 },
        alignItems: "center",
        px: 2,
        py: 1.5,
        borderTop: 1,
        borderColor: "divider",
        "&:first-of-type": { borderTop: 0 },
      }}
    >
      <Box sx={{ display: "flex", gap: 1.5, alignItems: "center", minWidth: 0 }}>
        <Thumb src={result.thumbUrl} />
        <Box sx={{ minWidth: 0 }}>
          <Link component={RouterLink} to={resultPath(result.resultId)} color="text.primary" sx={clip}>
            {result.modelName || result.fileName}
          </Link>
          <Box sx={{ fontSize: 12, color: "text.secondary" }}>{dateText(result.createTime)}</Box>
        </Box>
      </Box>
      <Box sx={{ gridColumn: { xs: "1 / -1", lg: "auto" }, minWidth: 0 }}>
        <Box>{serviceNames[result.serviceType] ?? result.serviceType}</Box>
        {result.status === "failed" ? (
          <Box sx={{ fontSize: 12, color: "error.main", overflowWrap: "anywhere" }}>{result.tips}</Box>
        ) : (
          <Box sx={{ ...clip, fontSize: 12, color: "text.secondary" }}>
            {describeParams(result.serviceType, result.params)}
          </Box>
        )}
      </Box>
      <Box sx={{ gridColumn: { xs: "1 / -1", lg: "auto" }, fontVariantNumeric: "tabular-nums" }}>
        {open ? (
          <Box>
            <LinearProgress
              variant={percent > 0 ? "determinate" : "indeterminate"}
              value={percent}
              aria-label="处理进度"
            />
            <Box sx={{ mt: 0.5, fontSize: 12, color: "text.secondary" }}>
              {percent > 0 ? `${stageText(live?.stage ?? result.stage)}　${percent}%` : "等待处理"}
            </Box>
          </Box>
        ) : result.status === "done" ? (
          <>
            <Box>{`${formatBytes(result.sourceSize)} → ${formatBytes(result.fileSize)}`}</Box>
            {result.serviceType === "lightweight" && (
              <Box sx={{ fontSize: 12, color: saved > 0 ? "secondary.main" : "text.secondary" }}>
                {saved >= 0 ? `减少 ${saved.toFixed(1)}%` : `增加 ${(-saved).toFixed(1)}%`}
              </Box>
            )}
          </>
        ) : null}
      </Box>
      <Box sx={{ gridRow: { xs: 1, lg: "auto" }, gridColumn: { xs: 2, lg: "auto" } }}>
        <StatusTag tone={status.tone}>{status.text}</StatusTag>
      </Box>
      <Box
        sx={{
          display: "flex",
          gap: 0.5,
          justifyContent: { lg: "flex-end" },
          gridColumn: { xs: "1 / -1", lg: "auto" },
        }}
      >
        <Button component={RouterLink} to={resultPath(result.resultId)} size="small" sx={{ minWidth: 0 }}>
          {result.serviceType === "lightweight" && result.status === "done" ? "对比" : "查看"}
        </Button>
        {result.status === "done" && (
          <Button size="small" onClick={onDownload} sx={{ minWidth: 0 }}>
            下载
          </Button>
        )}
        <Button size="small" color="inherit" onClick={onDelete} sx={{ minWidth: 0 }}>
          删除
        </Button>
      </Box>
    </Box>
  );
}

const clip = {
  display: "block",
  overflow: "hidden",
  textOverflow: "ellipsis",
  whiteSpace: "nowrap",
} as const;
