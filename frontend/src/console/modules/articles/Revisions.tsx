import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import { useState } from "react";
import { type Column, DataTable } from "@/ui/DataTable";
import { toast } from "@/ui/toast";
import {
  type ContentArticleRevision,
  type ContentArticleShowReply,
  useArticleRestoreMutation,
} from "../../api/generated/content";
import { minute } from "../../kit/format";
import { Card } from "../../kit/page";
import { ReasonDialog } from "../../kit/reason";
import { useMay } from "../../session/slice";
import { RevisionChanges } from "./RevisionChanges";

type Act = { kind: "compare" | "restore"; revision: ContentArticleRevision };
const small = { minHeight: 24, py: 0, px: 0.5, minWidth: 0, whiteSpace: "nowrap" } as const;

/** Every revision, its changes, and a button to restore it. */
export function Revisions({ found: { article, revisions } }: { found: ContentArticleShowReply }) {
  const may = useMay();
  const [act, setAct] = useState<Act>();
  const close = () => setAct(undefined);
  const noteOf = ({ revision, publishedAt, restoredFrom }: ContentArticleRevision) =>
    [
      revision === article.publishedRevision && "当前展示",
      publishedAt > 0 && `首次发布于 ${minute(publishedAt)}`,
      restoredFrom > 0 && `恢复自版本 ${restoredFrom}`,
    ]
      .filter(Boolean)
      .join("，") || "未发布过";
  const columns: readonly Column<ContentArticleRevision>[] = [
    { key: "revision", title: "版本", render: ({ revision }) => revision },
    { key: "title", title: "标题", secondary: true, render: ({ title }) => title },
    { key: "by", title: "保存人", render: ({ savedBy }) => savedBy || "随程序" },
    { key: "at", title: "保存时间", render: ({ savedAt }) => minute(savedAt) },
    { key: "note", title: "说明", secondary: true, render: noteOf },
    {
      key: "act",
      title: "操作",
      render: (revision) => (
        <>
          <Button
            size="small"
            sx={small}
            aria-label={`查看版本 ${revision.revision} 的改动`}
            onClick={() => setAct({ kind: "compare", revision })}
          >
            改动
          </Button>
          {may("article.edit") && revision.revision !== article.latestRevision && (
            <Button
              size="small"
              sx={small}
              aria-label={`恢复版本 ${revision.revision}`}
              onClick={() => setAct({ kind: "restore", revision })}
            >
              恢复
            </Button>
          )}
        </>
      ),
    },
  ];
  return (
    <Card title="版本" flush>
      <DataTable caption="版本列表" columns={columns} rows={revisions} rowKey={({ revision }) => revision} />
      {act?.kind === "compare" && (
        <CompareDialog id={article.id} revision={act.revision} revisions={revisions} onClose={close} />
      )}
      {act?.kind === "restore" && (
        <RestoreDialog
          id={article.id}
          base={article.latestRevision}
          revision={act.revision}
          onClose={close}
        />
      )}
    </Card>
  );
}

function CompareDialog({
  id,
  revision: { revision },
  revisions,
  onClose,
}: {
  id: string;
  revision: ContentArticleRevision;
  revisions: readonly ContentArticleRevision[];
  onClose: () => void;
}) {
  const before = revisions.find((one) => one.revision < revision)?.revision ?? 0;
  return (
    <Dialog open onClose={onClose} maxWidth="md" fullWidth aria-labelledby="compare-title">
      <DialogTitle id="compare-title">
        {before > 0 ? `版本 ${before} 到版本 ${revision} 的改动` : `版本 ${revision}`}
      </DialogTitle>
      <DialogContent>
        <RevisionChanges id={id} before={before} after={revision} />
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>关闭</Button>
      </DialogActions>
    </Dialog>
  );
}

function RestoreDialog({
  id,
  base,
  revision: { revision },
  onClose,
}: {
  id: string;
  base: number;
  revision: ContentArticleRevision;
  onClose: () => void;
}) {
  const [restore] = useArticleRestoreMutation();
  return (
    <ReasonDialog
      ask={{
        title: `恢复版本 ${revision}`,
        note: "会以这个版本的内容生成新的草稿；网站上展示的不变，看过之后再发布。",
        confirmText: "恢复为草稿",
        templates: ["新版本有误", "沿用旧文"],
        onConfirm: async (reason) => {
          await restore({ id, revision, baseRevision: base, reason }).unwrap();
          toast.success("已恢复为草稿");
        },
      }}
      onClose={onClose}
    />
  );
}
