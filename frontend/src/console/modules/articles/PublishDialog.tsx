import Box from "@mui/material/Box";
import { useState } from "react";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { toast } from "@/ui/toast";
import { messageOf } from "../../api/envelope";
import { type ContentArticleItem, useArticlePublishMutation } from "../../api/generated/content";
import { MomentInput } from "../../kit/MomentInput";
import { RevisionChanges } from "./RevisionChanges";

/** Shows what will be published and what it replaces, now or from a given time. */
export function PublishDialog({ article, onClose }: { article: ContentArticleItem; onClose: () => void }) {
  const { id, state, latestRevision, publishedRevision } = article;
  const [publish] = useArticlePublishMutation();
  const [at, setAt] = useState(0);
  const [problem, setProblem] = useState("");
  // a published article cannot be scheduled
  const mayWait = state !== "published";

  async function confirm() {
    setProblem("");
    if (at > 0 && at <= Date.now()) {
      setProblem("展示时间应晚于现在，或留空立即发布");
      return;
    }
    try {
      await publish({ id, revision: latestRevision, at }).unwrap();
      toast.success(at > 0 ? "已定时" : "已发布");
      onClose();
    } catch (error) {
      setProblem(messageOf(error) || "没有发布成功，请稍后重试");
    }
  }

  return (
    <ConfirmDialog
      open
      title={`发布版本 ${latestRevision}`}
      confirmText={at > 0 ? "确认定时" : "确认发布"}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Box sx={{ display: "grid", gap: 2 }}>
        {mayWait && <MomentInput label="展示时间" empty="立即" value={at} onChange={setAt} />}
        <RevisionChanges id={id} before={publishedRevision} after={latestRevision} />
        {problem && (
          <Box role="alert" sx={{ fontSize: 13, color: "error.main" }}>
            {problem}
          </Box>
        )}
      </Box>
    </ConfirmDialog>
  );
}
