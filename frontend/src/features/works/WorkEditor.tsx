import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useEffect, useRef, useState } from "react";
import { Link, useNavigate } from "react-router";
import {
  useMyWorkDetailQuery,
  useReplaceWorkModelMutation,
  useSaveWorkMutation,
  type WorksMyWork,
} from "@/calls/works";
import { ModelSelector } from "@/features/processing";
import { useSession } from "@/session";
import { EmptyState } from "@/ui/EmptyState";
import { PageHeader } from "@/ui/PageHeader";
import { LinesSkeleton } from "@/ui/Skeletons";
import { toast } from "@/ui/toast";
import { changeOf, type Problems, problemsOf, type Values, valuesOf } from "./rules";
import { StagePanel } from "./StagePanel";
import { useActs } from "./useActs";
import { WorkForm } from "./WorkForm";
import { StateOf } from "./WorkList";
import { allowed, LIST, MINE, sharePath, workPath } from "./words";

/** Polling interval while the model is being prepared. */
const POLL_MS = 4000;

/** Editor of one of the user's works: stage, description, submission. */
export function WorkEditor({ worksId }: { worksId: string }) {
  const { loginId } = useSession();
  const asked = { userId: loginId, worksId };
  const [making, setMaking] = useState(false);
  const { currentData, isError, isFetching, refetch } = useMyWorkDetailQuery(asked, {
    refetchOnMountOrArgChange: true,
    pollingInterval: making ? POLL_MS : 0,
  });
  const waits = currentData?.modelState === "making";
  useEffect(() => setMaking(waits), [waits]);
  if (isError && !currentData && !isFetching)
    return (
      <EmptyState
        heading="h1"
        kind="search"
        title="没有看到这个作品"
        hint="它可能已被删除，或网络中断。"
        action={
          <>
            <Button onClick={() => void refetch()}>重试</Button>
            <Button component={Link} to={LIST} variant="contained">
              去作品列表
            </Button>
          </>
        }
      />
    );
  if (!currentData)
    return (
      <>
        <PageHeader title="编辑作品" />
        <LinesSkeleton lines={12} />
      </>
    );
  return <Loaded work={currentData} onStale={() => void refetch()} />;
}

function Loaded({ work, onStale }: { work: WorksMyWork; onStale: () => void }) {
  const { loginId } = useSession();
  const navigate = useNavigate();
  const worksId = work.card.id;
  const before = valuesOf(work);
  const [edited, setEdited] = useState<Partial<Values>>({});
  const [problems, setProblems] = useState<Problems>({});
  const [save, saving] = useSaveWorkMutation();
  const form = useRef<HTMLFormElement>(null);
  const acts = useActs((act) => {
    if (act === "delete") void navigate(MINE, { replace: true });
  });
  const can = allowed(work);
  const values: Values = { ...before, ...edited };
  const change = changeOf(before, values);
  const changed = Object.keys(change).length > 0;

  const set =
    <Name extends keyof Values>(name: Name) =>
    (value: Values[Name]) => {
      setEdited((old) => ({ ...old, [name]: value }));
      setProblems(({ [name]: _, ...others }) => others);
    };

  /** Whether all fields are valid; otherwise focuses the first invalid one. */
  function check(whole: boolean): boolean {
    const wrong = problemsOf(values, whole);
    setProblems(wrong);
    const first = Object.values(wrong)[0];
    if (first === undefined) return true;
    toast.warning(first);
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
    return false;
  }

  /** Saves changes and returns the current work; undefined if refused. */
  async function saved(): Promise<WorksMyWork | undefined> {
    if (!changed) return work;
    try {
      const now = await save({ userId: loginId, worksId, revision: work.revision, ...change }).unwrap();
      setEdited({});
      return now;
    } catch {
      // already reported by the shared wrapper; the form keeps its input
      onStale();
      return undefined;
    }
  }

  async function keep() {
    if (check(false) && (await saved())) toast.success("已保存");
  }

  async function handIn() {
    if (!check(true)) return;
    const now = await saved();
    if (now) await acts.act("submit", now);
  }

  const busy = saving.isLoading || acts.busy;
  return (
    <>
      <PageHeader
        title={work.card.name || "编辑作品"}
        note={<StateOf work={work} />}
        actions={
          <>
            <Button component={Link} to={LIST} variant="outlined" color="inherit">
              作品列表
            </Button>
            {work.state === "published" && (
              <Button component={Link} to={sharePath(worksId)} variant="outlined" color="inherit">
                分享
              </Button>
            )}
            <Button component={Link} to={workPath(work.card)} variant="outlined" color="inherit">
              {work.state === "published" ? "查看作品" : "预览"}
            </Button>
          </>
        }
      />
      <Notices work={work} />
      <Box
        component="form"
        ref={form}
        noValidate
        aria-label="作品资料"
        onSubmit={(event) => {
          event.preventDefault();
          void keep();
        }}
        sx={{
          display: "grid",
          gap: 4,
          alignItems: "start",
          gridTemplateColumns: { xs: "minmax(0, 1fr)", lg: "minmax(0, 1fr) 400px" },
        }}
      >
        <Box sx={{ minWidth: 0 }}>
          {work.model?.modelUrl && (
            <StagePanel
              model={work.model}
              name={values.name}
              scene={values.scene}
              disabled={!can.edit}
              onChange={set("scene")}
            />
          )}
          {can.edit && <OtherModel work={work} />}
        </Box>
        <Box sx={{ display: "grid", gap: 3 }}>
          <WorkForm values={values} problems={problems} disabled={!can.edit} set={set} />
          <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1.5 }}>
            {can.edit && (
              <Button type="submit" variant="outlined" disabled={busy || !changed}>
                保存
              </Button>
            )}
            {can.edit && (can.submit || changed) && (
              <Button
                variant="contained"
                loading={busy}
                disabled={work.modelState !== "ready"}
                onClick={() => void handIn()}
              >
                提交审核
              </Button>
            )}
            {can.withdraw && (
              <Button color="inherit" disabled={busy} onClick={() => acts.start("withdraw", work)}>
                {work.state === "review" || work.editState === "review" ? "撤回审核" : "撤下"}
              </Button>
            )}
            {can.relist && (
              <Button variant="outlined" disabled={busy} onClick={() => acts.start("relist", work)}>
                重新展示
              </Button>
            )}
            {can.delete && (
              <Button color="error" disabled={busy} onClick={() => acts.start("delete", work)}>
                删除
              </Button>
            )}
          </Box>
        </Box>
      </Box>
      {acts.dialog}
    </>
  );
}

function Notices({ work }: { work: WorksMyWork }) {
  const { state, editState, reason, modelState, modelReason } = work;
  const missing = work.missing ?? [];
  const waiting = state === "review" || editState === "review";
  const refused = state === "refused" || editState === "refused";
  return (
    <Box sx={{ display: "grid", gap: 1, mb: 3, "&:empty": { display: "none" } }}>
      {modelState === "making" && (
        <Alert severity="info">正在准备模型，完成后可以布置视角与光；资料现在就能填写。</Alert>
      )}
      {modelState === "failed" && (
        <Alert severity="error">{`模型没有准备成功：${modelReason || "请换一个源文件再试"}`}</Alert>
      )}
      {refused && reason && <Alert severity="warning">{`审核未通过：${reason}。修改后可以再次提交。`}</Alert>}
      {state === "hidden" && (
        <Alert severity="error">{`作品已被平台隐藏${reason ? `：${reason}` : ""}。如有疑问，请联系客服。`}</Alert>
      )}
      {waiting && <Alert severity="info">正在审核，其间不能修改；撤回审核后可以继续编辑。</Alert>}
      {!waiting && state === "published" && (
        <Alert severity="info">
          可见范围、评论与下载保存后立即生效；其他修改提交审核，通过后替换现在展示的内容，地址不变。
        </Alert>
      )}
      {!waiting && missing.length > 0 && (
        <Alert severity="info">{`提交审核前还需要：${missing.join("；")}`}</Alert>
      )}
    </Box>
  );
}

/** Replaces the draft's source file. */
function OtherModel({ work }: { work: WorksMyWork }) {
  const { loginId } = useSession();
  const [replace, { isLoading }] = useReplaceWorkModelMutation();
  const [open, setOpen] = useState(false);
  async function put(fileId: string) {
    setOpen(false);
    try {
      await replace({ userId: loginId, worksId: work.card.id, fileId }).unwrap();
      toast.success("正在准备新的模型");
    } catch {
      // already reported by the shared wrapper
    }
  }
  return (
    <Box sx={{ mt: 2 }}>
      <Button color="inherit" loading={isLoading} onClick={() => setOpen(true)}>
        换一个源文件
      </Button>
      <ModelSelector open={open} onClose={() => setOpen(false)} onPick={({ fileId }) => void put(fileId)} />
    </Box>
  );
}
