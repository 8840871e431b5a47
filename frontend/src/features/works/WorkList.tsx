import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import MuiLink from "@mui/material/Link";
import TextField from "@mui/material/TextField";
import { type FormEvent, useEffect, useState } from "react";
import { Link } from "react-router";
import { useMyWorksQuery, type WorksMyWork } from "@/calls/works";
import { useSession } from "@/session";
import { type Column, DataTable } from "@/ui/DataTable";
import { dateText } from "@/ui/dateText";
import { EmptyState } from "@/ui/EmptyState";
import { LinkTabs } from "@/ui/LinkTabs";
import { PageHeader } from "@/ui/PageHeader";
import { Pager } from "@/ui/Pager";
import { ReadFailed } from "@/ui/ReadFailed";
import { StatusTag } from "@/ui/StatusTag";
import { Thumb } from "@/ui/Thumb";
import { useQueryFields } from "@/ui/useQueryFields";
import { NewWork } from "./NewWork";
import { type Act, useActs } from "./useActs";
import {
  allowed,
  editPath,
  editWord,
  LIST,
  STATES,
  sharePath,
  stateWord,
  typeName,
  visibilityText,
  workPath,
} from "./words";

const PAGE_SIZE = 20;

/** All of one's works, by state and name, with their numbers and what can be done. */
export function WorkList() {
  const { loginId } = useSession();
  const [query, set] = useQueryFields();
  const page = Math.max(1, Number(query.get("page")) || 1);
  const keyword = query.get("keyword") ?? "";
  const asked = query.get("state") ?? "";
  const state = asked in STATES ? asked : "";
  const list = useMyWorksQuery(
    { userId: loginId, state, keyword, pageNo: page, pageSize: PAGE_SIZE },
    { refetchOnMountOrArgChange: true },
  );
  const acts = useActs();
  const counts = (list.data?.counts ?? {}) as Record<string, number>;
  const total = Object.values(counts).reduce((sum, one) => sum + Number(one), 0);
  const tabs = [
    { id: "", text: "全部", to: LIST, count: total },
    ...Object.entries(STATES).map(([id, { text }]) => ({
      id,
      text,
      to: `${LIST}?state=${id}`,
      count: Number(counts[id] ?? 0),
    })),
  ];
  return (
    <>
      <PageHeader title="作品列表" actions={<NewWork />} />
      <Box sx={{ mb: 2 }}>
        <LinkTabs label="作品状态" current={state} tabs={tabs} />
      </Box>
      <NameSearch
        keyword={keyword}
        onSearch={(text) => set({ keyword: text || undefined, page: undefined })}
      />
      {list.isError && !list.isFetching ? (
        <ReadFailed what="作品列表" onRetry={() => void list.refetch()} />
      ) : (
        <>
          <Box
            sx={{
              border: 1,
              borderColor: "divider",
              borderRadius: 2,
              bgcolor: "background.paper",
              overflow: "hidden",
            }}
          >
            <DataTable
              caption="作品列表"
              columns={columns(acts)}
              rows={list.currentData?.results ?? []}
              rowKey={({ card }) => card.id}
              loading={!list.currentData}
              empty={
                <EmptyState
                  title={state || keyword ? "没有相符的作品" : "还没有作品"}
                  hint={
                    state || keyword
                      ? "换一个状态或名称再看。"
                      : "点“发布作品”，选一个体检通过的源文件即可开始。"
                  }
                />
              }
            />
          </Box>
          <Pager
            total={list.data?.totalCount ?? 0}
            page={page}
            pageSize={PAGE_SIZE}
            onPage={(n) => set({ page: n > 1 ? String(n) : undefined })}
          />
        </>
      )}
      {acts.dialog}
    </>
  );
}

function NameSearch({ keyword, onSearch }: { keyword: string; onSearch: (text: string) => void }) {
  const [text, setText] = useState(keyword);
  useEffect(() => setText(keyword), [keyword]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSearch(text.trim());
  };
  return (
    <Box component="form" role="search" onSubmit={submit} sx={{ mb: 2, display: "flex", gap: 1 }}>
      <TextField
        size="small"
        placeholder="按名称查找"
        value={text}
        onChange={(event) => setText(event.target.value)}
        slotProps={{ htmlInput: { "aria-label": "按名称查找", maxLength: 50 } }}
        sx={{ width: "100%", maxWidth: 320, bgcolor: "background.paper" }}
      />
      <Button type="submit" variant="outlined">
        查找
      </Button>
    </Box>
  );
}

const ACTS: readonly { act: Act; text: string }[] = [
  { act: "submit", text: "提交审核" },
  { act: "withdraw", text: "撤下" },
  { act: "relist", text: "重新展示" },
  { act: "delete", text: "删除" },
];

const actText = (act: Act, text: string, { state, editState }: WorksMyWork): string =>
  act === "withdraw" && (state === "review" || editState === "review") ? "撤回审核" : text;

function columns({ start, busy }: ReturnType<typeof useActs>): readonly Column<WorksMyWork>[] {
  return [
    {
      key: "name",
      title: "作品",
      render: ({ card, visibility }) => (
        <Box sx={{ display: "flex", alignItems: "center", gap: 1.5, minWidth: 180 }}>
          <Thumb src={card.preview || card.pcPreview} />
          <Box sx={{ minWidth: 0 }}>
            <MuiLink component={Link} to={editPath(card.id)} sx={{ overflowWrap: "anywhere" }}>
              {card.name}
            </MuiLink>
            <Box sx={{ fontSize: 12, color: "text.secondary" }}>
              {`${typeName(card.type)} · ${visibilityText(visibility)}`}
            </Box>
          </Box>
        </Box>
      ),
    },
    { key: "state", title: "状态", render: (work) => <StateOf work={work} /> },
    {
      key: "browse",
      title: "浏览",
      numeric: true,
      render: ({ card }) => card.browseNumber.toLocaleString("zh-CN"),
    },
    {
      key: "like",
      title: "点赞",
      numeric: true,
      render: ({ card }) => card.likeNumber.toLocaleString("zh-CN"),
    },
    {
      key: "collect",
      title: "收藏",
      numeric: true,
      secondary: true,
      render: ({ card }) => card.collectNumber.toLocaleString("zh-CN"),
    },
    {
      key: "comment",
      title: "评论",
      numeric: true,
      secondary: true,
      render: ({ card }) => card.commentNumber.toLocaleString("zh-CN"),
    },
    {
      key: "updated",
      title: "修改时间",
      numeric: true,
      secondary: true,
      render: ({ updatedAt }) => dateText(updatedAt),
    },
    {
      key: "act",
      title: "操作",
      render: (work) => {
        const can = allowed(work);
        return (
          <Box sx={{ display: "flex", gap: 0.5, whiteSpace: "nowrap" }}>
            {work.state === "published" && (
              <Button size="small" component={Link} to={workPath(work.card)}>
                查看
              </Button>
            )}
            {work.state === "published" && (
              <Button
                size="small"
                component={Link}
                to={sharePath(work.card.id)}
                aria-label={`分享 ${work.card.name}`}
              >
                分享
              </Button>
            )}
            {ACTS.filter(({ act }) => can[act]).map(({ act, text }) => {
              const shown = actText(act, text, work);
              return (
                <Button
                  key={act}
                  size="small"
                  color={act === "submit" ? "primary" : "inherit"}
                  disabled={busy}
                  aria-label={`${shown} ${work.card.name}`}
                  onClick={() => start(act, work)}
                >
                  {shown}
                </Button>
              );
            })}
          </Box>
        );
      },
    },
  ];
}

/** Its state, that of its changes, and what the operator said. */
export function StateOf({ work: { state, editState, reason, modelState } }: { work: WorksMyWork }) {
  const edit = editWord(editState);
  const told = (state === "refused" || state === "hidden" || editState === "refused") && reason;
  return (
    <Box sx={{ display: "grid", gap: 0.5, justifyItems: "start" }}>
      <StatusTag tone={stateWord(state).tone}>{stateWord(state).text}</StatusTag>
      {edit && <StatusTag tone={edit.tone}>{edit.text}</StatusTag>}
      {modelState === "making" && <StatusTag tone="running">正在准备模型</StatusTag>}
      {modelState === "failed" && <StatusTag tone="danger">模型没有准备成功</StatusTag>}
      {told && (
        <Box sx={{ maxWidth: 240, fontSize: 12, color: "text.secondary", overflowWrap: "anywhere" }}>
          {told}
        </Box>
      )}
    </Box>
  );
}
