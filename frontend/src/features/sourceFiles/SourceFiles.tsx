import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
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
import { ChoiceFilter, ListPage, SearchFilter, useListAddress } from "@/ui/list";
import { PageHeader } from "@/ui/PageHeader";
import { TableSkeleton } from "@/ui/Skeletons";
import { toast } from "@/ui/toast";
import { useQueryFields } from "@/ui/useQueryFields";
import { useDownload } from "./download";
import { DeleteDialog, NameDialog } from "./FileDialogs";
import { type FileAction, FileList } from "./FileList";
import { fileStatuses, lightWeights } from "./status";

const POLL_MS = 30_000;

type OpenDialog = "rename" | "release";

/** The user's source files with all actions; `?upload=1` opens the wizard. */
export function SourceFiles({ place, dialog }: { place: Place; dialog?: OpenDialog }) {
  const dispatch = useAppDispatch();
  const [query, set] = useQueryFields();
  const list = useListAddress({ fields: ["keyword", "status"] });
  const service = query.get("serviceName");
  const preferred = service === "lightweight" || service === "convert" ? service : undefined;
  const [resume, setResume] = useState<UploadFlow>();
  const wizard = query.get("upload") === "1";

  const { connected } = useQueue("CHECK", (message) => {
    if (message.status === "Success" || message.status === "Error") {
      dispatch(invalidateProcess(["Files"]));
    }
  });
  const files = useListFilesQuery(list.request, {
    pollingInterval: connected ? 0 : POLL_MS,
    refetchOnMountOrArgChange: true,
  });
  const light = useCardListQuery({
    pageNo: 1,
    pageSize: 200,
    serviceType: "lightweight",
    status: "done",
  });
  const lightest = useMemo(() => lightWeights(light.data?.results ?? []), [light.data]);

  const [renaming, setRenaming] = useState<ProcessSourceFile>();
  const [releasing, setReleasing] = useState<ProcessSourceFile>();
  const [deleting, setDeleting] = useState<ProcessSourceFile>();
  const { download } = useDownload();
  const [retry] = useRetryCheckMutation();

  // editDialog and publishDialog have their own addresses: the list with the dialog open
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
      <ListPage
        what="文件列表"
        query={files}
        list={list}
        filters={
          <>
            <SearchFilter list={list} name="keyword" label="按名称搜索" maxLength={60} />
            <ChoiceFilter list={list} name="status" label="状态" all="全部状态" choices={fileStatuses} />
          </>
        }
        skeleton={<TableSkeleton rows={6} columns={6} />}
        empty={{
          title: "还没有上传过模型",
          hint: "支持 FBX、OBJ、STL、GLB 等格式，上传后自动体检并生成在线预览。",
          action: upload,
        }}
        emptyFiltered={{ title: "没有符合条件的文件", hint: "换一个关键词或状态再试。" }}
      >
        {(rows) => <FileList files={rows} lightest={lightest} preferred={preferred} onAction={act} />}
      </ListPage>
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
