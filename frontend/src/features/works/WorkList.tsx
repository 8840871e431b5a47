import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import MuiLink from "@mui/material/Link";
import { Link } from "react-router";
import { useMyWorksQuery, type WorksMyWork } from "@/calls/works";
import { useSession } from "@/session";
import type { Column } from "@/ui/DataTable";
import { dateText } from "@/ui/dateText";
import { LinkTabs } from "@/ui/LinkTabs";
import { ListPage, SearchFilter, useListAddress } from "@/ui/list";
import { PageHeader } from "@/ui/PageHeader";
import { StatusTag } from "@/ui/StatusTag";
import { Thumb } from "@/ui/Thumb";
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

const NONE_FOUND = { title: "没有相符的作品", hint: "换一个状态或名称再看。" };

/** All of the user's works by state and name, with their figures and actions. */
export function WorkList() {
  const { loginId } = useSession();
  const list = useListAddress({ fields: ["keyword"], tab: "state", known: { state: STATES } });
  const { state } = list.values;
  const works = useMyWorksQuery({ userId: loginId, ...list.request }, { refetchOnMountOrArgChange: true });
  const acts = useActs();
  const counts = (works.data?.counts ?? {}) as Record<string, number>;
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
      <ListPage
        what="作品列表"
        query={works}
        list={list}
        tabs={<LinkTabs label="作品状态" current={state} tabs={tabs} />}
        filters={<SearchFilter list={list} name="keyword" label="按名称查找" button="查找" />}
        columns={columns(acts)}
        rowKey={({ card }) => card.id}
        empty={
          state ? NONE_FOUND : { title: "还没有作品", hint: "点“发布作品”，选一个体检通过的源文件即可开始。" }
        }
        emptyFiltered={NONE_FOUND}
      />
      {acts.dialog}
    </>
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

/** State of the work and of its changes, with the operator's reason. */
export function StateOf({ work: { state, editState, reason, modelState } }: { work: WorksMyWork }) {
  const edit = editWord(editState);
  const showsReason = (state === "refused" || state === "hidden" || editState === "refused") && reason;
  return (
    <Box sx={{ display: "grid", gap: 0.5, justifyItems: "start" }}>
      <StatusTag tone={stateWord(state).tone}>{stateWord(state).text}</StatusTag>
      {edit && <StatusTag tone={edit.tone}>{edit.text}</StatusTag>}
      {modelState === "making" && <StatusTag tone="running">正在准备模型</StatusTag>}
      {modelState === "failed" && <StatusTag tone="danger">模型没有准备成功</StatusTag>}
      {showsReason && (
        <Box sx={{ maxWidth: 240, fontSize: 12, color: "text.secondary", overflowWrap: "anywhere" }}>
          {showsReason}
        </Box>
      )}
    </Box>
  );
}
