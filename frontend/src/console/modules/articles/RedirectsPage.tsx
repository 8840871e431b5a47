import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { type FormEvent, useState } from "react";
import { toast } from "@/ui/toast";
import { messageOf } from "../../api/envelope";
import {
  type ContentRedirect,
  useRedirectListQuery,
  useRedirectRemoveMutation,
  useRedirectSaveMutation,
} from "../../api/generated/content";
import { minute } from "../../kit/format";
import { type Filter, List, type ListColumn } from "../../kit/list";
import { Card, PageTitle } from "../../kit/page";
import { ReasonDialog } from "../../kit/reason";
import { TextInput } from "../../kit/TextInput";
import { useList } from "../../kit/useList";
import { useMay } from "../../session/slice";

const FILTERS: readonly Filter[] = [{ kind: "text", name: "text", label: "查找地址" }];
const PAGE = 50;

const COLUMNS: readonly ListColumn<ContentRedirect>[] = [
  { key: "from", title: "原地址", render: ({ from }) => from, csv: ({ from }) => from },
  { key: "to", title: "跳转到", render: ({ to }) => to, csv: ({ to }) => to },
  {
    key: "by",
    title: "保存",
    secondary: true,
    render: ({ savedBy, savedAt }) => `${savedBy} · ${minute(savedAt)}`,
    csv: ({ savedAt }) => minute(savedAt),
  },
];

/** Addresses that have moved, each with its 301 target. */
export default function RedirectsPage() {
  const manage = useMay()("article.publish");
  const state = useList(FILTERS);
  const [gone, setGone] = useState<string>();
  const [remove] = useRedirectRemoveMutation();
  const query = useRedirectListQuery(
    { ...state.values, after: state.after, size: PAGE },
    { refetchOnMountOrArgChange: true },
  );
  const page = query.currentData ?? (query.error ? undefined : query.data);
  const act: ListColumn<ContentRedirect> = {
    key: "act",
    title: "操作",
    render: ({ from }) => (
      <Button
        size="small"
        color="error"
        sx={{ minHeight: 24, py: 0, px: 0.5, minWidth: 0 }}
        aria-label={`移除 ${from} 的跳转`}
        onClick={() => setGone(from)}
      >
        移除
      </Button>
    ),
  };
  return (
    <>
      <PageTitle
        back={{ to: "/articles", text: "文章" }}
        title="地址跳转"
        note="改名或合并之后，旧地址自动到新地址，收藏和搜索结果都不落空"
      />
      <Box sx={{ display: "grid", gridTemplateColumns: "minmax(0, 1fr)", gap: 2 }}>
        {manage && <AddCard />}
        <List
          id="redirects"
          what="跳转"
          filters={FILTERS}
          state={state}
          columns={manage ? [...COLUMNS, act] : COLUMNS}
          rowKey={({ from }) => from}
          result={page && { rows: page.redirects, next: page.next }}
          error={query.error}
          loading={query.isFetching}
          onRetry={query.refetch}
        />
      </Box>
      <ReasonDialog
        ask={
          gone === undefined
            ? undefined
            : {
                title: "移除跳转",
                note: `移除后 ${gone} 不再跳转。`,
                confirmText: "移除",
                danger: true,
                templates: ["不再需要", "填写有误"],
                onConfirm: async (reason) => {
                  await remove({ from: gone, reason }).unwrap();
                  toast.success("已移除");
                },
              }
        }
        onClose={() => setGone(undefined)}
      />
    </>
  );
}

function AddCard() {
  const [save, { isLoading }] = useRedirectSaveMutation();
  const [from, setFrom] = useState("");
  const [to, setTo] = useState("");
  const [problem, setProblem] = useState("");
  async function submit(event: FormEvent) {
    event.preventDefault();
    setProblem("");
    try {
      await save({ from: from.trim(), to: to.trim() }).unwrap();
      toast.success("已保存");
      setFrom("");
      setTo("");
    } catch (error) {
      setProblem(messageOf(error) || "没有保存成功，请稍后重试");
    }
  }
  return (
    <Card title="添加跳转">
      <Box
        component="form"
        noValidate
        onSubmit={submit}
        sx={{
          display: "grid",
          columnGap: 2,
          alignItems: "start",
          gridTemplateColumns: { xs: "1fr", md: "1fr 1fr auto" },
        }}
      >
        <TextInput
          label="原地址"
          value={from}
          max={300}
          hint="站内路径，如 /helpCenter?id=upload"
          problem={problem}
          onChange={setFrom}
        />
        <TextInput label="跳转到" value={to} max={300} hint="站内路径" onChange={setTo} />
        <Button
          type="submit"
          variant="contained"
          loading={isLoading}
          disabled={!from.trim() || !to.trim()}
          sx={{ mt: { md: "26px" } }}
        >
          保存
        </Button>
      </Box>
    </Card>
  );
}
