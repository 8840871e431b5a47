import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useState } from "react";
import { toast } from "@/ui/toast";
import { messageOf } from "../../api/envelope";
import {
  type ContentArticleItem,
  useArticleArchiveMutation,
  useArticleReviewMutation,
} from "../../api/generated/content";
import { DecisionBar } from "../../kit/reason";
import { useMay } from "../../session/slice";
import { PreviewDialog } from "./PreviewDialog";
import { PublishDialog } from "./PublishDialog";

/** Actions on an article; unsaved changes must be saved first. */
export function Acts({ article, writing }: { article: ContentArticleItem; writing: boolean }) {
  const may = useMay();
  const [open, setOpen] = useState<"publish" | "preview">();
  const [archive] = useArticleArchiveMutation();
  const [review, { isLoading }] = useArticleReviewMutation();
  const { id, state } = article;
  const live = state === "published" || state === "scheduled";
  const pending = article.latestRevision !== article.publishedRevision || state === "archived";

  async function hand(back: boolean) {
    try {
      await review({ id, back }).unwrap();
      toast.success(back ? "已退回草稿" : "已提交审阅");
    } catch (error) {
      toast.error(messageOf(error) || "没有完成，请稍后重试");
    }
  }

  return (
    <Box sx={{ display: "flex", gap: 1, flexWrap: "wrap", alignItems: "center" }}>
      {writing && <Box sx={{ fontSize: 12, color: "text.secondary" }}>先保存草稿，再预览或发布</Box>}
      {may("article.edit") && (
        <Button size="small" variant="outlined" disabled={writing} onClick={() => setOpen("preview")}>
          预览链接
        </Button>
      )}
      {may("article.edit") && (state === "draft" || state === "review") && (
        <Button
          size="small"
          variant="outlined"
          disabled={writing}
          loading={isLoading}
          onClick={() => void hand(state === "review")}
        >
          {state === "review" ? "退回草稿" : "提交审阅"}
        </Button>
      )}
      {may("article.publish") && pending && (
        <Button size="small" variant="contained" disabled={writing} onClick={() => setOpen("publish")}>
          发布
        </Button>
      )}
      <DecisionBar
        decisions={[
          {
            id: "archive",
            text: state === "scheduled" ? "取消定时" : "撤下",
            title: state === "scheduled" ? "取消定时发布" : "撤下文章",
            danger: true,
            allowed: may("article.publish") && live,
            note:
              state === "scheduled"
                ? "到时不会展示，文章回到草稿。"
                : "撤下后网站立即不再展示，它的地址回答“已撤下”；内容和版本都会保留。",
            templates: ["内容有误", "已经过时"],
            onConfirm: async (reason) => {
              await archive({ id, reason }).unwrap();
              toast.success(state === "scheduled" ? "已取消定时" : "已撤下");
            },
          },
        ]}
      />
      {open === "publish" && <PublishDialog article={article} onClose={() => setOpen(undefined)} />}
      {open === "preview" && <PreviewDialog article={article} onClose={() => setOpen(undefined)} />}
    </Box>
  );
}
