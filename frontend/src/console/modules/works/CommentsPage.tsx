import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useState } from "react";
import { toast } from "@/ui/toast";
import { UserText } from "@/ui/UserText";
import {
  useCommentHideMutation,
  useCommentRestoreMutation,
  useCommentSearchQuery,
  useReportsDismissMutation,
  type WorksCommentItem,
  worksApi,
} from "../../api/generated/works";
import { runQuery } from "../../api/run";
import { wordOf } from "../../kit/choices";
import { minute, shown } from "../../kit/format";
import { type Filter, List, type ListColumn } from "../../kit/list";
import { PageTitle } from "../../kit/page";
import { RowLink } from "../../kit/RowLink";
import { type ReasonAsk, ReasonDialog } from "../../kit/reason";
import { State } from "../../kit/State";
import { Nothing } from "../../kit/states";
import { useList } from "../../kit/useList";
import { useMay } from "../../session/slice";
import { COMMENT_HIDINGS, COMMENT_STATES, DISMISSALS, pathOf, REASONS } from "./words";

const PAGE = 50;
const EXPORT_PAGE = 100;

const FILTERS: readonly Filter[] = [
  { kind: "text", name: "text", label: "内容或 ID", placeholder: "内容、评论 ID、作品 ID 或用户 ID" },
  {
    kind: "choice",
    name: "state",
    label: "状态",
    choices: [{ value: "reported", text: "被举报" }, ...COMMENT_STATES],
  },
];

/** Comments on works: reported ones first; an operator hides one for a reason, or restores it. */
export default function CommentsPage() {
  const list = useList(FILTERS);
  const manage = useMay()("comment.manage");
  const [hide] = useCommentHideMutation();
  const [restore] = useCommentRestoreMutation();
  const [dismiss] = useReportsDismissMutation();
  const [ask, setAsk] = useState<ReasonAsk>();
  const narrowed = { text: list.values.text ?? "", state: list.values.state ?? "" };
  const query = useCommentSearchQuery(
    { ...narrowed, after: list.after, size: PAGE },
    { refetchOnMountOrArgChange: true },
  );
  const page = query.currentData ?? (query.error ? undefined : query.data);

  const askToHide = (commentId: string) =>
    setAsk({
      title: "隐藏这条评论",
      confirmText: "隐藏",
      danger: true,
      note: "评论不再显示，有回复的留下位置。原因会告诉评论的作者。",
      templates: COMMENT_HIDINGS,
      onConfirm: async (reason) => {
        await hide({ commentId, reason }).unwrap();
        toast.success("已隐藏");
      },
    });
  const askToRestore = (commentId: string) =>
    setAsk({
      title: "恢复显示这条评论",
      confirmText: "恢复",
      note: "评论重新显示。",
      templates: DISMISSALS,
      onConfirm: async (reason) => {
        await restore({ commentId, reason }).unwrap();
        toast.success("已恢复显示");
      },
    });
  const askToDismiss = (commentId: string) =>
    setAsk({
      title: "举报不成立",
      confirmText: "确定",
      note: "这些举报不再等待处理，评论不变。",
      templates: DISMISSALS,
      onConfirm: async (reason) => {
        await dismiss({ thingId: commentId, reason }).unwrap();
        toast.success("举报已处理");
      },
    });

  const columns: readonly ListColumn<WorksCommentItem>[] = [
    {
      key: "content",
      title: "内容",
      render: ({ comment, reason, reported }) => (
        <Box sx={{ maxWidth: 420, overflowWrap: "anywhere", whiteSpace: "normal" }}>
          <UserText>{comment.content}</UserText>
          {reported.map((report) => (
            <UserText
              key={report.reportId}
              sx={{ fontSize: 12, color: "text.secondary" }}
            >{`举报：${wordOf(REASONS, report.reason).text}${report.content && `，${report.content}`}`}</UserText>
          ))}
          {reason && (
            <UserText sx={{ fontSize: 12, color: "text.secondary" }}>{`隐藏原因：${reason}`}</UserText>
          )}
        </Box>
      ),
      csv: ({ comment }) => comment.content,
    },
    {
      key: "work",
      title: "作品",
      render: ({ worksId, worksName }) => <RowLink to={pathOf(worksId)}>{shown(worksName)}</RowLink>,
      csv: ({ worksName }) => worksName,
    },
    {
      key: "author",
      title: "作者 ID",
      secondary: true,
      render: ({ comment }) => shown(comment.userId),
      csv: ({ comment }) => comment.userId,
    },
    {
      key: "state",
      title: "状态",
      render: ({ comment }) => <State words={COMMENT_STATES} value={comment.state} />,
      csv: ({ comment }) => wordOf(COMMENT_STATES, comment.state).text,
    },
    {
      key: "reports",
      title: "举报",
      numeric: true,
      render: ({ reports }) => reports,
      csv: ({ reports }) => reports,
    },
    {
      key: "time",
      title: "时间",
      numeric: true,
      secondary: true,
      render: ({ comment }) => minute(comment.createdAt),
      csv: ({ comment }) => minute(comment.createdAt),
    },
    {
      key: "act",
      title: "操作",
      render: ({ comment, reports }) =>
        manage && (
          <Box sx={{ display: "flex", gap: 0.5, whiteSpace: "nowrap" }}>
            {comment.state === "shown" && (
              <Button size="small" onClick={() => askToHide(comment.commentId)}>
                隐藏
              </Button>
            )}
            {comment.state === "hidden" && (
              <Button size="small" onClick={() => askToRestore(comment.commentId)}>
                恢复
              </Button>
            )}
            {reports > 0 && (
              <Button size="small" color="inherit" onClick={() => askToDismiss(comment.commentId)}>
                举报不成立
              </Button>
            )}
          </Box>
        ),
    },
  ];

  return (
    <>
      <PageTitle back={{ to: "/works", text: "作品审核" }} title="作品评论" />
      <List
        id="work-comments"
        what="评论"
        filters={FILTERS}
        state={list}
        columns={columns}
        rowKey={({ comment }) => comment.commentId}
        result={page && { rows: page.comments, next: page.next }}
        error={query.error}
        loading={query.isFetching}
        onRetry={query.refetch}
        empty={<Nothing title="没有评论" />}
        fetchPage={async (after) => {
          const { comments, next } = await runQuery(
            worksApi.endpoints.commentSearch.initiate(
              { ...narrowed, after, size: EXPORT_PAGE },
              { forceRefetch: true },
            ),
          );
          return { rows: comments, next };
        }}
      />
      <ReasonDialog ask={ask} onClose={() => setAsk(undefined)} />
    </>
  );
}
