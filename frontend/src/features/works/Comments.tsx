import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useEffect, useState } from "react";
import { useAddCommentMutation, useCommentListQuery, type WorksWorkComment } from "@/calls/works";
import { useSession } from "@/session";
import { ListPage } from "@/ui/list";
import { LinesSkeleton } from "@/ui/Skeletons";
import { toast } from "@/ui/toast";
import type { StageView } from "@/viewer";
import { Comment } from "./Comment";
import { CommentForm } from "./CommentForm";
import { type Place, pinText } from "./pins";
import { useLoginFirst } from "./useMark";

export const COMMENTS_PAGE = 10;

export interface Placing {
  /** The user is choosing a place on the model. */
  active: boolean;
  place?: Place;
  start: () => void;
  clear: () => void;
}

/** Comments on a work, with the form for a new one. */
export function Comments({
  worksId,
  allowed,
  bundle,
  pageNo,
  chosen,
  placing,
  onPage,
  onView,
}: {
  worksId: string;
  allowed: boolean;
  /** Of the shown model; undefined if none is shown. */
  bundle?: number;
  pageNo: number;
  /** The comment whose pin was pressed. */
  chosen?: string;
  placing: Placing;
  onPage: (page: number) => void;
  onView: (commentId: string, view: StageView) => void;
}) {
  const comments = useCommentListQuery({ worksId, pageNo, pageSize: COMMENTS_PAGE });
  const page = comments.currentData ?? comments.data;
  return (
    <Box component="section" aria-label="评论" sx={{ mt: 4 }}>
      <Box component="h2" sx={{ m: 0, mb: 1.5, fontSize: 18, lineHeight: "26px", fontWeight: 600 }}>
        {`评论${page && page.commentNumber > 0 ? ` ${page.commentNumber}` : ""}`}
      </Box>
      {allowed ? (
        <NewComment worksId={worksId} bundle={bundle} placing={placing} onDone={() => onPage(1)} />
      ) : (
        <Box sx={{ color: "text.secondary" }}>作者没有开放评论。</Box>
      )}
      <ListPage
        dense
        what="评论"
        query={comments}
        list={{ page: pageNo, pageSize: COMMENTS_PAGE, setPage: onPage }}
        skeleton={<LinesSkeleton lines={4} />}
        empty={<Box sx={{ py: 3, color: "text.secondary" }}>{allowed && "还没有评论。"}</Box>}
      >
        {(rows) => (
          <Box component="ol" aria-label="评论" sx={{ listStyle: "none", m: 0, mt: 2, p: 0 }}>
            {rows.map((comment, index) => (
              <Item key={comment.commentId} comment={comment} chosen={chosen === comment.commentId}>
                <Comment
                  comment={comment}
                  worksId={worksId}
                  allowed={allowed}
                  bundle={bundle}
                  number={index + 1}
                  onView={onView}
                />
              </Item>
            ))}
          </Box>
        )}
      </ListPage>
    </Box>
  );
}

/** Scrolls into view when its pin is pressed. */
function Item({
  comment,
  chosen,
  children,
}: {
  comment: WorksWorkComment;
  chosen: boolean;
  children: React.ReactNode;
}) {
  const id = `comment-${comment.commentId}`;
  useEffect(() => {
    if (chosen) document.getElementById(id)?.scrollIntoView({ block: "nearest" });
  }, [chosen, id]);
  return (
    <Box
      component="li"
      id={id}
      sx={{
        py: 2,
        px: 1,
        mx: -1,
        borderTop: 1,
        borderColor: "divider",
        scrollMarginTop: 88,
        backgroundColor: chosen ? (theme) => theme.tokens.primarySoft : undefined,
      }}
    >
      {children}
    </Box>
  );
}

function NewComment({
  worksId,
  bundle,
  placing,
  onDone,
}: {
  worksId: string;
  bundle?: number;
  placing: Placing;
  onDone: () => void;
}) {
  const { loginId, signedIn } = useSession();
  const loginFirst = useLoginFirst();
  const [add] = useAddCommentMutation();
  const [round, setRound] = useState(0);
  const { place } = placing;
  if (!signedIn)
    return (
      <Button variant="outlined" onClick={() => loginFirst()}>
        登录后评论
      </Button>
    );
  async function send(content: string): Promise<boolean> {
    const pin = place ? { pin: pinText(place), bundle } : {};
    try {
      await add({ userId: loginId, worksId, parentId: "", content, ...pin }).unwrap();
    } catch {
      // already reported by the shared wrapper
      return false;
    }
    toast.success("评论已发表");
    placing.clear();
    setRound(round + 1);
    onDone();
    return true;
  }
  return (
    <CommentForm key={round} label="写评论" action="发表" send={send}>
      {bundle !== undefined && !place && (
        <Button size="small" color="inherit" onClick={placing.active ? placing.clear : placing.start}>
          {placing.active ? "取消标注" : "在模型上标注"}
        </Button>
      )}
      {place && (
        <Button size="small" color="inherit" onClick={placing.clear}>
          已标注一处，移除
        </Button>
      )}
    </CommentForm>
  );
}
