import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Rating from "@mui/material/Rating";
import TextField from "@mui/material/TextField";
import { type FormEvent, useEffect, useState } from "react";
import {
  type TransactionModelReview,
  useAnswerModelReviewMutation,
  useMyModelReviewQuery,
  useSaveModelReviewMutation,
} from "@/calls/transaction";
import { useSession } from "@/session";
import { toast } from "@/ui/toast";

const LONGEST = 500;

const lengthOf = (text: string): number => [...text.trim()].length;
const tooLong = (text: string): string =>
  lengthOf(text) > LONGEST ? `最多 ${LONGEST} 个字符，现在有 ${lengthOf(text)} 个` : "";

/** The user's own review, which owners of the model can write and change. */
export function OwnReview({ modelId }: { modelId: string }) {
  const { loginId } = useSession();
  const { data } = useMyModelReviewQuery({ userId: loginId, modelId });
  const [save, { isLoading }] = useSaveModelReviewMutation();
  const [open, setOpen] = useState(false);
  const [stars, setStars] = useState(0);
  const [content, setContent] = useState("");
  const own = data?.review;
  useEffect(() => {
    setStars(own?.stars ?? 0);
    setContent(own?.content ?? "");
  }, [own]);
  if (!data) return null;
  const error = tooLong(content);

  async function submit(event: FormEvent) {
    event.preventDefault();
    try {
      await save({ userId: loginId, modelId, stars, content: content.trim() }).unwrap();
      toast.success(own ? "评价已修改" : "评价已发表");
      setOpen(false);
    } catch {
      // already reported by the shared wrapper
    }
  }
  return (
    <Box sx={{ mb: 2 }}>
      {data.hiddenReason && (
        <Box
          role="status"
          sx={{ mb: 1, color: "error.main" }}
        >{`您的评价已被隐藏：${data.hiddenReason}`}</Box>
      )}
      {!data.allowed && <Box sx={{ fontSize: 13, color: "text.secondary" }}>{data.reason}</Box>}
      {data.allowed && !open && (
        <Button variant="outlined" onClick={() => setOpen(true)}>
          {own ? "修改我的评价" : "写评价"}
        </Button>
      )}
      {data.allowed && open && (
        <Box
          component="form"
          aria-label="我的评价"
          onSubmit={(event) => void submit(event)}
          sx={{ p: 2, border: 1, borderColor: "divider", borderRadius: 2, display: "grid", gap: 1.5 }}
        >
          <Rating
            name="stars"
            value={stars || null}
            getLabelText={(value) => `${value} 星`}
            onChange={(_, value) => setStars(value ?? 0)}
          />
          <TextField
            multiline
            minRows={3}
            label="评价内容（选填）"
            value={content}
            onChange={(event) => setContent(event.target.value)}
            error={error !== ""}
            helperText={error || `${lengthOf(content)} / ${LONGEST}`}
          />
          <Box sx={{ display: "flex", gap: 1 }}>
            <Button
              type="submit"
              variant="contained"
              loading={isLoading}
              disabled={stars === 0 || error !== ""}
            >
              {own ? "保存修改" : "发表评价"}
            </Button>
            <Button color="inherit" onClick={() => setOpen(false)}>
              取消
            </Button>
          </Box>
        </Box>
      )}
    </Box>
  );
}

/** The maker's reply; empty deletes it. */
export function AnswerForm({ review, onClose }: { review: TransactionModelReview; onClose: () => void }) {
  const { loginId } = useSession();
  const [save, { isLoading }] = useAnswerModelReviewMutation();
  const [content, setContent] = useState(review.answer);
  const error = tooLong(content);
  async function submit(event: FormEvent) {
    event.preventDefault();
    try {
      await save({ userId: loginId, reviewId: review.reviewId, content: content.trim() }).unwrap();
      toast.success(content.trim() ? "已回复" : "回复已撤回");
      onClose();
    } catch {
      // already reported by the shared wrapper
    }
  }
  return (
    <Box component="form" onSubmit={(event) => void submit(event)} sx={{ mt: 1, display: "grid", gap: 1 }}>
      <TextField
        multiline
        autoFocus
        minRows={2}
        label="作者回复"
        value={content}
        onChange={(event) => setContent(event.target.value)}
        error={error !== ""}
        helperText={error || (review.answer ? "清空后保存，即撤回回复" : `${lengthOf(content)} / ${LONGEST}`)}
      />
      <Box sx={{ display: "flex", gap: 1 }}>
        <Button
          type="submit"
          size="small"
          variant="contained"
          loading={isLoading}
          disabled={error !== "" || content.trim() === review.answer}
        >
          保存回复
        </Button>
        <Button size="small" color="inherit" onClick={onClose}>
          取消
        </Button>
      </Box>
    </Box>
  );
}
