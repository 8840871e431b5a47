import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import { useState } from "react";
import { Link as RouterLink } from "react-router";
import { type ProcessSourceFile, useListFilesQuery } from "@/calls/process";
import { filePath, NameDialog } from "@/features/sourceFiles";
import { formatBytes } from "@/ui/bytes";
import type { Column } from "@/ui/DataTable";
import { dateText } from "@/ui/dateText";
import { ListPage, useListAddress } from "@/ui/list";
import { PageHeader } from "@/ui/PageHeader";
import { StatusTag } from "@/ui/StatusTag";
import { Thumb } from "@/ui/Thumb";

/** Oblique photography, which the mall does not offer. */
const SCENE = 2;

/** Files that passed the check-up: each may become a listing. */
export function ProcessedFiles() {
  const list = useListAddress();
  const files = useListFilesQuery(
    { ...list.request, keyword: "", status: "ready" },
    { refetchOnMountOrArgChange: true },
  );
  const [releasing, setReleasing] = useState<ProcessSourceFile>();
  const columns: readonly Column<ProcessSourceFile>[] = [
    {
      key: "name",
      title: "源文件",
      render: (file) => (
        <Box sx={{ display: "flex", alignItems: "center", gap: 1.5, minWidth: { md: 160 } }}>
          <Thumb src={file.thumbUrl} />
          <Link component={RouterLink} to={filePath(file.fileId)} sx={{ overflowWrap: "anywhere" }}>
            {file.modelName || file.fileName}
          </Link>
        </Box>
      ),
    },
    { key: "format", title: "格式", secondary: true, render: (file) => file.format.toUpperCase() },
    {
      key: "size",
      title: "大小",
      numeric: true,
      secondary: true,
      render: (file) => formatBytes(file.fileSize),
    },
    {
      key: "triangles",
      title: "三角面",
      numeric: true,
      secondary: true,
      render: (file) => (file.triangles > 0 ? file.triangles.toLocaleString("zh-CN") : "—"),
    },
    {
      key: "time",
      title: "上传时间",
      numeric: true,
      secondary: true,
      render: (file) => dateText(file.createTime),
    },
    {
      key: "state",
      title: "状态",
      render: (file) =>
        file.released ? <StatusTag tone="success">已发布</StatusTag> : <StatusTag>可发布</StatusTag>,
    },
    {
      key: "act",
      title: "操作",
      render: (file) => <Act file={file} onRelease={() => setReleasing(file)} />,
    },
  ];
  return (
    <>
      <PageHeader
        title="已处理源文件"
        note="体检通过的源文件，发布后进入待发布模型"
        actions={
          <>
            <Button component={RouterLink} to="/publishCenter/processedList" variant="outlined">
              处理记录
            </Button>
            <Button component={RouterLink} to="/publishCenter/mySourceFiles?upload=1" variant="contained">
              上传模型
            </Button>
          </>
        }
      />
      <ListPage
        what="源文件"
        caption="已处理源文件"
        query={files}
        list={list}
        columns={columns}
        rowKey={({ fileId }) => fileId}
        empty={{
          title: "还没有体检通过的源文件",
          hint: "上传模型后自动体检，通过的文件出现在这里。",
          action: (
            <Button component={RouterLink} to="/publishCenter/mySourceFiles" variant="contained">
              前往我的源文件
            </Button>
          ),
        }}
      />
      <NameDialog file={releasing} release onClose={() => setReleasing(undefined)} />
    </>
  );
}

function Act({ file, onRelease }: { file: ProcessSourceFile; onRelease: () => void }) {
  const name = file.modelName || file.fileName;
  if (file.modelType === SCENE)
    return <Box sx={{ fontSize: 12, color: "text.secondary" }}>倾斜摄影暂不上架</Box>;
  if (file.released)
    return (
      <Button
        component={RouterLink}
        to={`/publishCenter/toBeReleased?keyword=${encodeURIComponent(name)}`}
        size="small"
        aria-label={`填写资料 ${name}`}
        sx={{ minWidth: 0, whiteSpace: "nowrap" }}
      >
        填写资料
      </Button>
    );
  return (
    <Button
      size="small"
      variant="contained"
      aria-label={`发布 ${name}`}
      onClick={onRelease}
      sx={{ minWidth: 0, whiteSpace: "nowrap" }}
    >
      发布
    </Button>
  );
}
