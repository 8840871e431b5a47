import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import InputAdornment from "@mui/material/InputAdornment";
import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import { useEffect, useMemo, useState } from "react";
import { Link as RouterLink } from "react-router";
import {
  invalidateProcess,
  type ProcessSourceFile,
  useCardListQuery,
  useFileDetailQuery,
  useListFilesQuery,
  useRetryCheckMutation,
} from "@/calls/process";
import { type Place, UnfinishedUploads, type UploadFlow, UploadWizard } from "@/features/upload";
import { useQueue } from "@/realtime";
import { useAppDispatch } from "@/store/hooks";
import { EmptyState } from "@/ui/EmptyState";
import Search from "@/ui/icons/Search";
import { PageHeader } from "@/ui/PageHeader";
import { Pager } from "@/ui/Pager";
import { TableSkeleton } from "@/ui/Skeletons";
import { toast } from "@/ui/toast";
import { useQueryFields } from "@/ui/useQueryFields";
import { useDownload } from "./download";
import { DeleteDialog, NameDialog } from "./FileDialogs";
import { type FileAction, FileList } from "./FileList";
import { fileStatuses, lightWeights } from "./status";

const PAGE_SIZE = 20;
const POLL_MS = 30_000;

type OpenDialog = "rename" | "release";

/** The list of source files with all that can be done to one; the wizard opens with `?upload=1`. */
export function SourceFiles({ place, dialog }: { place: Place; dialog?: OpenDialog }) {
  const dispatch = useAppDispatch();
  const [query, set] = useQueryFields();
  const page = Math.max(1, Number(query.get("page")) || 1);
  const keyword = query.get("keyword") ?? "";
  const status = query.get("status") ?? "";
  const service = query.get("serviceName");
  const preferred = service === "lightweight" || service === "convert" ? service : undefined;
  const [resume, setResume] = useState<UploadFlow>();
  const wizard = query.get("upload") === "1";

  const { connected } = useQueue("CHECK", (message) => {
    if (message.status === "Success" || message.status === "Error") {
      dispatch(invalidateProcess(["Files"]));
    }
  });
  const list = useListFilesQuery(
    { pageNo: page, pageSize: PAGE_SIZE, keyword, status },
    { pollingInterval: connected ? 0 : POLL_MS, refetchOnMountOrArgChange: true },
  );
  const files = list.data?.results ?? [];
  const light = useCardListQuery({
    pageNo: 1,
    pageSize: 200,
    serviceType: "lightweight",
    status: "done",
  });
  const lightest = useMemo(() => lightWeights(light.data?.results ?? []), [light.data]);
  const total = list.data?.totalCount ?? 0;
  const filtered = keyword !== "" || status !== "";

  const [renaming, setRenaming] = useState<ProcessSourceFile>();
  const [releasing, setReleasing] = useState<ProcessSourceFile>();
  const [deleting, setDeleting] = useState<ProcessSourceFile>();
  const { download } = useDownload();
  const [retry] = useRetryCheckMutation();

  // editDialog and publishDialog are pages of their own address: the list with its dialog open
  const asked = query.get("fileId") ?? "";
  const named = useFileDetailQuery({ fileId: asked }, { skip: !dialog || asked === "" });
  useEffect(() => {
    if (!named.data) return;
    if (dialog === "rename") setRenaming(named.data);
    if (dialog === "release") setReleasing(named.data);
  }, [dialog, named.data]);

  const act = (action: FileAction, file: ProcessSourceFile) => {
    if (action === "rename") setRenaming(file);
    else if (action === "release") setReleasing(file);
    else if (action === "delete") setDeleting(file);
    else if (action === "download") void download({ fileId: file.fileId });
    else {
      retry({ fileId: file.fileId })
        .unwrap()
        .then(() => toast.success("已重新开始体检"))
        .catch(() => undefined);
    }
  };

  const upload = (
    <Button variant="contained" onClick={() => set({ upload: "1" })}>
      上传模型
    </Button>
  );

  return (
    <>
      <PageHeader
        title={place === "publish" ? "我的源文件" : "我的上传"}
        note={
          place === "publish"
            ? "准备上架的模型从这里开始：先上传体检，再命名发布，然后补全资料提交审核"
            : "上传的文件会自动体检，通过后可以轻量化、转换格式或发布"
        }
        actions={
          <>
            {place === "workbench" && (
              <Button component={RouterLink} to="/workbench/simpleUpload" variant="outlined">
                简易上传
              </Button>
            )}
            {place === "publish" && (
              <Button component={RouterLink} to="/publishCenter/toBeReleased" variant="outlined">
                待发布模型
              </Button>
            )}
            {upload}
          </>
        }
      />
      {preferred && (
        <Alert severity="info" sx={{ mb: 2 }}>
          {preferred === "lightweight"
            ? "选择一个可用的模型，点“轻量化”开始。"
            : "选择一个可用的模型，点“转换”开始。"}
        </Alert>
      )}
      <UnfinishedUploads
        onOpen={(flow) => {
          setResume(flow);
          set({ upload: "1" });
        }}
      />
      <Filters keyword={keyword} status={status} onChange={(change) => set({ ...change, page: undefined })} />
      {list.isLoading ? (
        <TableSkeleton rows={6} columns={6} />
      ) : list.isError ? (
        <EmptyState
          kind="error"
          title="文件列表没有读取成功"
          hint="请检查网络后重试。"
          action={<Button onClick={() => void list.refetch()}>重试</Button>}
        />
      ) : files.length === 0 ? (
        filtered ? (
          <EmptyState
            kind="search"
            title="没有符合条件的文件"
            hint="换一个关键词或状态再试。"
            action={
              <Button onClick={() => set({ keyword: undefined, status: undefined, page: undefined })}>
                清除条件
              </Button>
            }
          />
        ) : (
          <EmptyState
            kind="models"
            title="还没有上传过模型"
            hint="支持 FBX、OBJ、STL、GLB 等格式，上传后自动体检并生成在线预览。"
            action={upload}
          />
        )
      ) : (
        <Box
          aria-busy={list.isFetching}
          sx={{ opacity: list.isFetching ? 0.7 : 1, transition: "opacity 160ms" }}
        >
          <FileList files={files} lightest={lightest} preferred={preferred} onAction={act} />
          <Pager total={total} page={page} onPage={(n) => set({ page: n > 1 ? String(n) : undefined })} />
        </Box>
      )}
      <UploadWizard
        open={wizard}
        place={place}
        resume={resume}
        onClose={() => {
          setResume(undefined);
          set({ upload: undefined });
        }}
      />
      <NameDialog file={renaming} release={false} onClose={() => setRenaming(undefined)} />
      <NameDialog file={releasing} release onClose={() => setReleasing(undefined)} />
      <DeleteDialog file={deleting} onClose={() => setDeleting(undefined)} />
    </>
  );
}

function Filters({
  keyword,
  status,
  onChange,
}: {
  keyword: string;
  status: string;
  onChange: (change: { keyword?: string; status?: string }) => void;
}) {
  const [text, setText] = useState(keyword);
  useEffect(() => setText(keyword), [keyword]);
  return (
    <Box
      component="form"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        onChange({ keyword: text.trim(), status });
      }}
      sx={{ display: "flex", gap: 1.5, mb: 2, flexWrap: "wrap" }}
    >
      <TextField
        size="small"
        placeholder="按名称搜索"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={() => text.trim() !== keyword && onChange({ keyword: text.trim(), status })}
        onKeyDown={(event) => {
          // the list of states is a second field, so the browser does not submit the form by itself
          if (event.key === "Enter" && !event.nativeEvent.isComposing)
            event.currentTarget.closest("form")?.requestSubmit();
        }}
        sx={{ width: { xs: "100%", sm: 280 } }}
        slotProps={{
          htmlInput: { "aria-label": "按名称搜索", maxLength: 60 },
          input: {
            startAdornment: (
              <InputAdornment position="start">
                <Search fontSize="small" />
              </InputAdornment>
            ),
          },
        }}
      />
      <TextField
        select
        size="small"
        value={status}
        onChange={(event) => onChange({ keyword, status: event.target.value })}
        sx={{ width: 160 }}
        slotProps={{ select: { displayEmpty: true }, htmlInput: { "aria-label": "状态" } }}
      >
        <MenuItem value="">全部状态</MenuItem>
        {Object.entries(fileStatuses).map(([value, { text: label }]) => (
          <MenuItem key={value} value={value}>
            {label}
          </MenuItem>
        ))}
      </TextField>
    </Box>
  );
}
