import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import dayjs from "dayjs";
import { Link } from "react-router";
import type { ProcessSourceFile } from "@/calls/process";
import { fileStatus } from "@/features/sourceFiles";
import { formatBytes } from "@/ui/bytes";
import { type Column, DataTable } from "@/ui/DataTable";
import { EmptyState } from "@/ui/EmptyState";
import { StatusTag } from "@/ui/StatusTag";
import { Thumb } from "@/ui/Thumb";
import { Turntable } from "@/ui/Turntable";

const COLUMNS: readonly Column<ProcessSourceFile>[] = [
  {
    key: "name",
    title: "名称",
    render: (file) => (
      <Turntable src={file.turntableUrl}>
        <Thumb src={file.thumbUrl} />
        <Box sx={{ minWidth: 0, maxWidth: { xs: 120, md: 240 } }}>
          <Box
            component={Link}
            to={`/workbench/myUpload/sourceFile?fileId=${encodeURIComponent(file.fileId)}`}
            sx={{
              display: "block",
              overflow: "hidden",
              textOverflow: "ellipsis",
              whiteSpace: "nowrap",
              color: "text.primary",
              textDecoration: "none",
              fontWeight: 500,
              "&:hover": { color: "primary.main" },
            }}
          >
            {file.modelName || file.fileName}
          </Box>
          <Box
            sx={{
              fontSize: 12,
              lineHeight: "18px",
              color: "text.secondary",
              overflow: "hidden",
              textOverflow: "ellipsis",
              whiteSpace: "nowrap",
            }}
          >
            {file.fileName}
          </Box>
        </Box>
      </Turntable>
    ),
  },
  {
    key: "status",
    title: "状态",
    render: (file) => {
      const state = fileStatus(file);
      return (
        <span title={file.tips || state.note}>
          <StatusTag tone={state.tone}>{state.text}</StatusTag>
        </span>
      );
    },
  },
  {
    key: "triangles",
    title: "三角面",
    numeric: true,
    secondary: true,
    render: (file) => (file.status === "ready" ? Number(file.triangles).toLocaleString("zh-CN") : "—"),
  },
  { key: "size", title: "大小", numeric: true, render: (file) => formatBytes(Number(file.fileSize)) },
  {
    key: "time",
    title: "上传时间",
    numeric: true,
    secondary: true,
    render: (file) => dayjs(Number(file.createTime)).format("MM-DD HH:mm"),
  },
];

export function RecentUploads({ files, loading, failed, onRetry }: RecentUploadsProps) {
  if (failed) {
    return (
      <EmptyState
        dense
        kind="error"
        title="最近上传没有读到"
        hint="检查网络后再试一次"
        action={
          <Button variant="outlined" onClick={onRetry}>
            重新读取
          </Button>
        }
      />
    );
  }
  return (
    <DataTable
      caption="最近上传"
      columns={COLUMNS}
      rows={files}
      rowKey={(file) => file.fileId}
      loading={loading}
      empty={
        <EmptyState
          dense
          title="还没有上传过模型"
          hint="传一个模型，几秒之后就能看到它的体检报告"
          action={
            <Button component={Link} to="/workbench/myUpload?upload=1" variant="contained">
              上传模型
            </Button>
          }
        />
      }
    />
  );
}

interface RecentUploadsProps {
  files: readonly ProcessSourceFile[];
  loading: boolean;
  failed: boolean;
  onRetry: () => void;
}
