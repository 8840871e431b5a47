import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import { useEffect, useState } from "react";
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
import { useFileUses } from "./useFileUses";
import { detailsPath } from "./words";

/** Oblique photography, which the mall does not offer. */
const SCENE = 2;
/** While a listing is being made of a file that was released just now. */
const POLL_MS = 3_000;

/** Files that passed the check-up: each may become a listing. */
export function ProcessedFiles() {
  const list = useListAddress();
  const files = useListFilesQuery(
    { ...list.request, keyword: "", status: "ready" },
    { refetchOnMountOrArgChange: true },
  );
  const [releasing, setReleasing] = useState<ProcessSourceFile>();
  const uses = useReleasedUses(files.currentData?.results ?? []);
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
        file.released && !uses.isGivenUp(file.fileId) ? (
          <StatusTag tone="success">已发布</StatusTag>
        ) : (
          <StatusTag>可发布</StatusTag>
        ),
    },
    {
      key: "act",
      title: "操作",
      render: (file) => <Act file={file} uses={uses} onRelease={() => setReleasing(file)} />,
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
      <NameDialog file={releasing} release onDone={uses.expect} onClose={() => setReleasing(undefined)} />
    </>
  );
}

/** The listings of released files; that of a file released just now comes a moment later. */
function useReleasedUses(files: readonly ProcessSourceFile[]) {
  const [expected, setExpected] = useState<readonly string[]>([]);
  const [polling, setPolling] = useState(false);
  const released = files.filter((file) => file.released).map(({ fileId }) => fileId);
  const uses = useFileUses(released, polling ? POLL_MS : 0);
  const isExpected = (fileId: string) => expected.includes(fileId) && !uses.usedFor(fileId);
  const waits = released.some(isExpected);
  useEffect(() => setPolling(waits), [waits]);
  return {
    ...uses,
    isExpected,
    /** Its draft was deleted, or became a version of another model. */
    isGivenUp: (fileId: string) => uses.known && !uses.usedFor(fileId) && !isExpected(fileId),
    expect: (fileId: string) => setExpected((all) => [...all, fileId]),
  };
}

interface ActProps {
  file: ProcessSourceFile;
  uses: ReturnType<typeof useReleasedUses>;
  onRelease: () => void;
}

function Act({ file, uses, onRelease }: ActProps) {
  const name = file.modelName || file.fileName;
  if (file.modelType === SCENE) return <Box sx={QUIET}>倾斜摄影暂不上架</Box>;
  if (!file.released || uses.isGivenUp(file.fileId)) {
    const text = file.released ? "重新发布" : "发布";
    return (
      <Button size="small" variant="contained" aria-label={`${text} ${name}`} onClick={onRelease} sx={SMALL}>
        {text}
      </Button>
    );
  }
  const use = uses.usedFor(file.fileId);
  if (!use && !uses.failed)
    return <Box sx={QUIET}>{uses.isExpected(file.fileId) ? "正在加入待发布模型" : "正在读取"}</Box>;
  const text = !use || use.state === "draft" ? "填写资料" : "查看";
  return (
    <Button
      component={RouterLink}
      // where its listing could not be read, it is looked for by name
      to={
        use ? detailsPath(use.listingId) : `/publishCenter/toBeReleased?keyword=${encodeURIComponent(name)}`
      }
      size="small"
      aria-label={`${text} ${name}`}
      sx={SMALL}
    >
      {text}
    </Button>
  );
}

const SMALL = { minWidth: 0, whiteSpace: "nowrap" } as const;
const QUIET = { fontSize: 12, color: "text.secondary" } as const;
