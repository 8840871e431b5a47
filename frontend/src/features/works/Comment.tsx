import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useState } from "react";
import {
  useAddCommentMutation,
  useCommentListQuery,
  useDeleteCommentMutation,
  useEditCommentMutation,
  useReportCommentMutation,
  type WorksWorkComment,
} from "@/calls/works";
import { Avatar } from "@/features/avatar";
import { calledBy, useSession } from "@/session";
import { CertifiedBadge, markOf } from "@/ui/CertifiedBadge";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { dateText } from "@/ui/dateText";
import { toast } from "@/ui/toast";
import type { StageView } from "@/viewer";
import { CommentForm } from "./CommentForm";
import { pinView } from "./pins";
import { ReportDialog } from "./ReportDialog";
import { useLoginFirst } from "./useMark";

/** Replies per request. */
const ANSWERS_PAGE = 50;
const GONE: Readonly<Record<string, string>> = {
  deleted: "这条评论已被作者删除。",
  hidden: "这条评论已被隐藏。",
};

interface CommentProps {
  comment: WorksWorkComment;
  worksId: string;
  /** Comments are open. */
  allowed: boolean;
  bundle?: number;
  /** Number of its pin; replies have none. */
  number?: number;
  onView?: (commentId: string, view: StageView) => void;
}

/** A comment with its actions and the replies below it. */
export function Comment(props: CommentProps) {
  const { comment, worksId, allowed } = props;
  return (
    <>
      <Said {...props} />
      {comment.replyCount > 0 && <Answers comment={comment} worksId={worksId} allowed={allowed} />}
    </>
  );
}

/** The first replies come with the comment, the others on request. */
function Answers({ comment, worksId, allowed }: Pick<CommentProps, "comment" | "worksId" | "allowed">) {
  const [all, setAll] = useState(false);
  const { data } = useCommentListQuery(
    { worksId, rootId: comment.commentId, pageNo: 1, pageSize: ANSWERS_PAGE },
    { skip: !all },
  );
  const shown = (all && data?.results) || comment.replies;
  return (
    <Box
      component="ol"
      aria-label={`对${calledBy(comment.nickname)}的回复`}
      sx={{ listStyle: "none", m: 0, mt: 1, ml: { xs: 2, sm: 6 }, p: 0 }}
    >
      {shown.map((answer) => (
        <Box component="li" key={answer.commentId} sx={{ py: 1 }}>
          <Said comment={answer} worksId={worksId} allowed={allowed} />
        </Box>
      ))}
      {!all && comment.replyCount > shown.length && (
        <li>
          <Button size="small" onClick={() => setAll(true)}>
            {`查看全部 ${comment.replyCount} 条回复`}
          </Button>
        </li>
      )}
    </Box>
  );
}

function Said({ comment, worksId, allowed, bundle, number, onView }: CommentProps) {
  const [doing, setDoing] = useState<"answer" | "edit">();
  const name = calledBy(comment.nickname);
  const gone = GONE[comment.state];
  if (gone) return <Box sx={{ color: "text.secondary" }}>{gone}</Box>;
  const notes = [dateText(comment.createdAt), comment.editedAt > 0 ? "已编辑" : ""];
  return (
    <Box sx={{ display: "flex", gap: 1.5 }}>
      <Avatar url={comment.avatar} name={name} size={comment.rootId ? 28 : 36} />
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Box sx={{ display: "flex", flexWrap: "wrap", columnGap: 1, alignItems: "center" }}>
          <Box component="span" sx={{ fontWeight: 500, overflowWrap: "anywhere" }}>
            {name}
          </Box>
          <CertifiedBadge as={markOf(comment.certified)} mark="line" />
          {comment.byAuthor && (
            <Box
              component="span"
              sx={{ px: 0.75, fontSize: 12, border: 1, borderColor: "divider", borderRadius: 1 }}
            >
              作者
            </Box>
          )}
          {comment.parentNickname && comment.parentId !== comment.rootId && (
            <Box component="span" sx={{ fontSize: 13, color: "text.secondary" }}>
              {`回复 ${comment.parentNickname}`}
            </Box>
          )}
        </Box>
        <Box className="tabular" sx={{ fontSize: 12, color: "text.secondary" }}>
          {notes.filter(Boolean).join("　")}
        </Box>
        {doing === "edit" ? (
          <Edit comment={comment} onClose={() => setDoing(undefined)} />
        ) : (
          <Box sx={{ mt: 0.5, whiteSpace: "pre-line", overflowWrap: "anywhere" }}>{comment.content}</Box>
        )}
        <PinnedTo comment={comment} bundle={bundle} number={number} onView={onView} />
        <Acts comment={comment} allowed={allowed} name={name} onDo={setDoing} />
        {doing === "answer" && (
          <Answer comment={comment} worksId={worksId} name={name} onClose={() => setDoing(undefined)} />
        )}
      </Box>
    </Box>
  );
}

function PinnedTo({
  comment: { pin, commentId },
  bundle,
  number,
  onView,
}: Pick<CommentProps, "comment" | "bundle" | "number" | "onView">) {
  if (!pin || pin.at.length < 3) return null;
  if (pin.bundle !== bundle)
    return <Box sx={{ mt: 0.5, fontSize: 12, color: "text.secondary" }}>标注在以前版本的模型上</Box>;
  const view = pinView(pin);
  if (!view || !onView) return null;
  return (
    <Button
      size="small"
      // Readable also on the highlighted comment's ground.
      sx={{ ml: -0.75, color: "primary.dark" }}
      onClick={() => onView(commentId, view)}
    >
      {`看标注 ${number}`}
    </Button>
  );
}

function Acts({
  comment,
  allowed,
  name,
  onDo,
}: {
  comment: WorksWorkComment;
  allowed: boolean;
  name: string;
  onDo: (what: "answer" | "edit") => void;
}) {
  const { loginId } = useSession();
  const loginFirst = useLoginFirst();
  const [remove] = useDeleteCommentMutation();
  const [report] = useReportCommentMutation();
  const [asked, setAsked] = useState<"delete" | "report">();
  const { commentId } = comment;
  async function confirm() {
    try {
      await remove({ userId: loginId, commentId }).unwrap();
      toast.success("评论已删除");
      setAsked(undefined);
    } catch {
      // already reported by the shared wrapper
    }
  }
  const act = (text: string, onClick: () => void) => (
    <Button
      size="small"
      color="inherit"
      aria-label={`${text}${name}的评论`}
      onClick={onClick}
      sx={{ minWidth: 0, px: 0.75, fontSize: 12, color: "text.secondary" }}
    >
      {text}
    </Button>
  );
  return (
    <Box sx={{ ml: -0.75, display: "flex", gap: 0.5 }}>
      {allowed && act("回复", () => loginFirst() || onDo("answer"))}
      {comment.editable && act("编辑", () => onDo("edit"))}
      {comment.mine && act("删除", () => setAsked("delete"))}
      {!comment.mine && act("举报", () => loginFirst() || setAsked("report"))}
      <ConfirmDialog
        open={asked === "delete"}
        danger
        title="删除这条评论"
        confirmText="删除"
        onConfirm={confirm}
        onClose={() => setAsked(undefined)}
      >
        {comment.replyCount > 0 ? "评论的内容会消失，下面的回复还在。" : "删除后不能恢复。"}
      </ConfirmDialog>
      {asked === "report" && (
        <ReportDialog
          what="评论"
          send={(what) => report({ userId: loginId, commentId, ...what }).unwrap()}
          onClose={() => setAsked(undefined)}
        />
      )}
    </Box>
  );
}

function Edit({ comment, onClose }: { comment: WorksWorkComment; onClose: () => void }) {
  const { loginId } = useSession();
  const [edit] = useEditCommentMutation();
  async function send(content: string): Promise<boolean> {
    try {
      await edit({ userId: loginId, commentId: comment.commentId, content }).unwrap();
    } catch {
      // already reported by the shared wrapper
      return false;
    }
    toast.success("评论已修改");
    onClose();
    return false;
  }
  return (
    <Box sx={{ mt: 1 }}>
      <CommentForm
        autoFocus
        label="编辑评论"
        start={comment.content}
        action="保存"
        send={send}
        onClose={onClose}
      />
    </Box>
  );
}

function Answer({
  comment,
  worksId,
  name,
  onClose,
}: {
  comment: WorksWorkComment;
  worksId: string;
  name: string;
  onClose: () => void;
}) {
  const { loginId } = useSession();
  const [add] = useAddCommentMutation();
  async function send(content: string): Promise<boolean> {
    try {
      await add({ userId: loginId, worksId, parentId: comment.commentId, content }).unwrap();
    } catch {
      // already reported by the shared wrapper
      return false;
    }
    toast.success("回复已发表");
    onClose();
    return false;
  }
  return (
    <Box sx={{ mt: 1 }}>
      <CommentForm autoFocus label={`回复 ${name}`} action="回复" send={send} onClose={onClose} />
    </Box>
  );
}
