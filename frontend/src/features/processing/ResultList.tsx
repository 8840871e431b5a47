import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import LinearProgress from "@mui/material/LinearProgress";
import Link from "@mui/material/Link";
import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import { useState } from "react";
import { Link as RouterLink } from "react-router";
import { invalidateProcess, type ProcessServiceResult, useCardListQuery } from "@/calls/process";
import { useDownload } from "@/features/sourceFiles";
import { useQueue } from "@/realtime";
import { useAppDispatch } from "@/store/hooks";
import { formatBytes } from "@/ui/bytes";
import { dateText } from "@/ui/dateText";
import { EmptyState } from "@/ui/EmptyState";
import { PageHeader } from "@/ui/PageHeader";
import { Pager } from "@/ui/Pager";
import { TableSkeleton } from "@/ui/Skeletons";
import { StatusTag } from "@/ui/StatusTag";
import { Thumb } from "@/ui/Thumb";
import { useQueryFields } from "@/ui/useQueryFields";
import { DeleteResultDialog } from "./DeleteResultDialog";
import { describeParams, serviceNames } from "./params";
import { isOpen, resultPath, resultStatus, resultStatuses, stageText } from "./status";

const PAGE_SIZE = 20;
const POLL_MS = 10_000;

/** All results, newest first; running ones move. */
export function ResultList() {
  const dispatch = useAppDispatch();
  const [query, set] = useQueryFields();
  const page = Math.max(1, Number(query.get("page")) || 1);
  const serviceType = query.get("serviceType") ?? "";
  const status = query.get("status") ?? "";
  const [live, setLive] = useState<Record<string, { percent: number; stage: string }>>({});
  const [deleting, setDeleting] = useState<ProcessServiceResult>();
  const { download } = useDownload();

  const { connected } = useQueue("SERVICE", (message) => {
    if (isOpen(message.status)) {
      setLive((old) => ({ ...old, [message.id]: { percent: message.percent, stage: message.stage } }));
    } else dispatch(invalidateProcess(["Results"]));
  });
  const list = useCardListQuery(
    { pageNo: page, pageSize: PAGE_SIZE, serviceType, status },
    { pollingInterval: connected ? 0 : POLL_MS, refetchOnMountOrArgChange: true },
  );
  const results = list.data?.results ?? [];

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
      <Box sx={{ display: "flex", gap: 1.5, mb: 2, flexWrap: "wrap" }}>
        <TextField
          select
          size="small"
          value={serviceType}
          onChange={(event) => set({ serviceType: event.target.value, page: "" })}
          sx={{ width: 160 }}
          slotProps={{ select: { displayEmpty: true }, htmlInput: { "aria-label": "服务" } }}
        >
          <MenuItem value="">全部服务</MenuItem>
          {Object.entries(serviceNames).map(([value, name]) => (
            <MenuItem key={value} value={value}>
              {name}
            </MenuItem>
          ))}
        </TextField>
        <TextField
          select
          size="small"
          value={status}
          onChange={(event) => set({ status: event.target.value, page: "" })}
          sx={{ width: 160 }}
          slotProps={{ select: { displayEmpty: true }, htmlInput: { "aria-label": "状态" } }}
        >
          <MenuItem value="">全部状态</MenuItem>
          {Object.entries(resultStatuses).map(([value, { text }]) => (
            <MenuItem key={value} value={value}>
              {text}
            </MenuItem>
          ))}
        </TextField>
      </Box>
      {list.isLoading ? (
        <TableSkeleton rows={5} columns={5} />
      ) : list.isError ? (
        <EmptyState
          kind="error"
          title="结果没有读取成功"
          hint="请检查网络后重试。"
          action={<Button onClick={() => void list.refetch()}>重试</Button>}
        />
      ) : results.length === 0 ? (
        serviceType || status ? (
          <EmptyState
            kind="search"
            title="没有符合条件的结果"
            action={<Button onClick={() => set({ serviceType: "", status: "", page: "" })}>清除条件</Button>}
          />
        ) : (
          <EmptyState
            kind="results"
            title="还没有服务结果"
            hint="选一个模型做轻量化，几秒钟就能看到前后对比。"
            action={
              <Button component={RouterLink} to="/workbench/service" variant="contained">
                选择模型
              </Button>
            }
          />
        )
      ) : (
        <>
          <Box
            component="ul"
            aria-label="服务结果"
            sx={{
              listStyle: "none",
              m: 0,
              p: 0,
              border: 1,
              borderColor: "divider",
              borderRadius: 2,
              bgcolor: "background.paper",
            }}
          >
            {results.map((result) => (
              <ResultRow
                key={result.resultId}
                result={result}
                live={live[result.resultId]}
                onDownload={() => void download({ resultId: result.resultId })}
                onDelete={() => setDeleting(result)}
              />
            ))}
          </Box>
          <Pager
            total={list.data?.totalCount ?? 0}
            page={page}
            onPage={(n) => set({ page: n > 1 ? String(n) : "" })}
          />
        </>
      )}
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
        <Box sx={{ ...clip, fontSize: 12, color: "text.secondary" }}>
          {result.status === "failed" ? result.tips : describeParams(result.serviceType, result.params)}
        </Box>
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
