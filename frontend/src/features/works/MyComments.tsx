import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useState } from "react";
import { Link } from "react-router";
import { useQueryCommentIsReadQuery } from "@/calls/personal";
import {
  useDeleteCommentMutation,
  useMyCommentsQuery,
  useReceivedCommentsQuery,
  type WorksCommentOnWork,
  type WorksMyCommentsReply,
} from "@/calls/works";
import { Avatar } from "@/features/avatar";
import { calledBy, useSession } from "@/session";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { dateText } from "@/ui/dateText";
import { LinkTabs } from "@/ui/LinkTabs";
import { ListPage, type ListQuery, type ListState, RowList, useListAddress } from "@/ui/list";
import { PageHeader } from "@/ui/PageHeader";
import { LinesSkeleton } from "@/ui/Skeletons";
import { Thumb } from "@/ui/Thumb";
import { toast } from "@/ui/toast";
import { COMMENTS, HOME } from "./words";

/** mine: the user's comments. comments: others' comments on the user's works. replies: replies to the user. */
export type CommentsKind = "mine" | "comments" | "replies";

const TABS = [
  { id: "mine", text: "我的评论", to: COMMENTS },
  { id: "comments", text: "收到的评论", to: `${COMMENTS}/comment` },
  { id: "replies", text: "收到的回复", to: `${COMMENTS}/reply` },
] as const;

const EMPTY: Readonly<Record<CommentsKind, { title: string; hint: string }>> = {
  mine: { title: "还没有发表过评论", hint: "在作品页写下的评论和回复会出现在这里。" },
  comments: { title: "还没有收到评论", hint: "别人评论您的作品时，会出现在这里。" },
  replies: { title: "还没有收到回复", hint: "别人回复您的评论时，会出现在这里。" },
};

/** The user's comments on works, and those received. */
export function MyComments({ kind }: { kind: CommentsKind }) {
  const { loginId } = useSession();
  const { data: flag } = useQueryCommentIsReadQuery({ userId: loginId }, { refetchOnMountOrArgChange: true });
  return (
    <>
      <PageHeader
        title="我的评论"
        note={
          flag && !flag.isreadComment ? (
            <Box component="span" sx={{ display: "inline-flex", alignItems: "center", gap: 1 }}>
              <Box
                component="span"
                role="img"
                aria-label="未读"
                sx={{ width: 8, height: 8, borderRadius: "50%", bgcolor: "error.main" }}
              />
              有未读的评论或回复
              <Link to={`/workbench/myMessage/commentsAndReplies`}>去看消息</Link>
            </Box>
          ) : undefined
        }
      />
      <Box sx={{ mb: 2 }}>
        <LinkTabs label="评论" tabs={TABS} current={kind} />
      </Box>
      {kind === "mine" ? <Mine /> : <Received key={kind} kind={kind} />}
    </>
  );
}

function Mine() {
  const { loginId } = useSession();
  const list = useListAddress();
  const comments = useMyCommentsQuery(
    { userId: loginId, ...list.request },
    { refetchOnMountOrArgChange: true },
  );
  return <Rows query={comments} list={list} kind="mine" />;
}

function Received({ kind }: { kind: "comments" | "replies" }) {
  const { loginId } = useSession();
  const list = useListAddress();
  const comments = useReceivedCommentsQuery(
    { userId: loginId, kind, ...list.request },
    { refetchOnMountOrArgChange: true },
  );
  return <Rows query={comments} list={list} kind={kind} />;
}

function Rows({
  query,
  list,
  kind,
}: {
  query: ListQuery<WorksMyCommentsReply>;
  list: ListState;
  kind: CommentsKind;
}) {
  return (
    <ListPage
      what="评论"
      query={query}
      list={list}
      skeleton={<LinesSkeleton lines={8} />}
      empty={{
        kind: "results",
        ...EMPTY[kind],
        action: (
          <Button component={Link} to={HOME} variant="outlined">
            去看作品
          </Button>
        ),
      }}
    >
      {(rows) => (
        <RowList label={TABS.find(({ id }) => id === kind)?.text}>
          {rows.map((row) => (
            <Row key={row.comment.commentId} row={row} own={kind === "mine"} />
          ))}
        </RowList>
      )}
    </ListPage>
  );
}

const GONE: Readonly<Record<string, string>> = { deleted: "已删除", hidden: "已被隐藏" };

function Row({ row, own }: { row: WorksCommentOnWork; own: boolean }) {
  const { comment, worksName, worksPreview, prevPath, parentContent } = row;
  const name = calledBy(comment.nickname);
  const seen = prevPath !== "" && /^\/(?![/\\])/.test(prevPath);
  return (
    <Box
      component="li"
      sx={{
        display: "flex",
        flexWrap: { xs: "wrap", sm: "nowrap" },
        gap: 1.5,
        p: 2,
        "& + &": { borderTop: 1, borderColor: "divider" },
      }}
    >
      {!own && <Avatar url={comment.avatar} name={name} size={36} />}
      <Box sx={{ flex: 1, minWidth: 200 }}>
        <Box sx={{ fontSize: 12, color: "text.secondary" }}>
          {[own ? "" : name, dateText(comment.createdAt), GONE[comment.state] ?? ""]
            .filter(Boolean)
            .join("　")}
        </Box>
        {parentContent && (
          <Box
            sx={{
              mt: 0.5,
              pl: 1,
              borderLeft: 2,
              borderColor: "divider",
              fontSize: 13,
              color: "text.secondary",
              overflowWrap: "anywhere",
            }}
          >
            {`回复：${parentContent}`}
          </Box>
        )}
        {comment.content && (
          <Box sx={{ mt: 0.5, whiteSpace: "pre-line", overflowWrap: "anywhere" }}>{comment.content}</Box>
        )}
        {own && comment.state === "shown" && <Delete commentId={comment.commentId} />}
      </Box>
      <Box sx={{ display: "flex", gap: 1, alignItems: "flex-start", width: { xs: "100%", sm: 220 } }}>
        <Thumb src={worksPreview} />
        <Box sx={{ minWidth: 0, fontSize: 13, overflowWrap: "anywhere" }}>
          {seen ? <Link to={prevPath}>{worksName || "查看作品"}</Link> : worksName || "作品已不再展示"}
        </Box>
      </Box>
    </Box>
  );
}

function Delete({ commentId }: { commentId: string }) {
  const { loginId } = useSession();
  const [remove] = useDeleteCommentMutation();
  const [open, setOpen] = useState(false);
  async function confirm() {
    try {
      await remove({ userId: loginId, commentId }).unwrap();
      toast.success("评论已删除");
      setOpen(false);
    } catch {
      // already reported by the shared wrapper
    }
  }
  return (
    <>
      <Button
        size="small"
        color="inherit"
        onClick={() => setOpen(true)}
        sx={{ ml: -0.75, fontSize: 12, color: "text.secondary" }}
      >
        删除
      </Button>
      <ConfirmDialog
        open={open}
        danger
        title="删除这条评论"
        confirmText="删除"
        onConfirm={confirm}
        onClose={() => setOpen(false)}
      >
        下面有回复的评论会留下位置，内容不再显示。
      </ConfirmDialog>
    </>
  );
}
