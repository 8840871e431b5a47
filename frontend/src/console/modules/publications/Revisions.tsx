import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import { useState } from "react";
import { type Column, DataTable } from "@/ui/DataTable";
import { toast } from "@/ui/toast";
import {
  type PersonalPublicationRevision,
  type PersonalPublicationShowReply,
  usePublicationRestoreMutation,
} from "../../api/generated/personal";
import { Difference } from "../../kit/difference";
import { minute } from "../../kit/format";
import { Card } from "../../kit/page";
import { ReasonDialog } from "../../kit/reason";
import { useMay } from "../../session/slice";
import { toldOf } from "./form";

type Act = { kind: "compare" | "restore"; revision: PersonalPublicationRevision };
const small = { minHeight: 24, py: 0, px: 0.5, minWidth: 0, whiteSpace: "nowrap" } as const;

/** Every revision, its changes, and a button to restore it. */
export function Revisions({ found }: { found: PersonalPublicationShowReply }) {
  const { publication, revisions } = found;
  const may = useMay();
  const [act, setAct] = useState<Act>();
  const close = () => setAct(undefined);
  const noteOf = ({ version, publishedAt, restoredFrom }: PersonalPublicationRevision) =>
    [
      version === publication.publishedVersion && "当前发布",
      publishedAt > 0 && `首次发布于 ${minute(publishedAt)}`,
      restoredFrom > 0 && `恢复自版本 ${restoredFrom}`,
    ]
      .filter(Boolean)
      .join("，") || "未发布过";
  const columns: readonly Column<PersonalPublicationRevision>[] = [
    { key: "version", title: "版本", render: (one) => one.version },
    { key: "by", title: "保存人", render: (one) => one.savedBy || "配置" },
    { key: "at", title: "保存时间", render: (one) => minute(one.savedAt) },
    { key: "note", title: "说明", secondary: true, render: noteOf },
    {
      key: "act",
      title: "操作",
      render: (revision) => (
        <>
          <Button
            size="small"
            sx={small}
            aria-label={`查看版本 ${revision.version} 的改动`}
            onClick={() => setAct({ kind: "compare", revision })}
          >
            改动
          </Button>
          {may("content.publish") && revision.version !== publication.publishedVersion && (
            <Button
              size="small"
              sx={small}
              aria-label={`恢复版本 ${revision.version}`}
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
      <DataTable caption="版本列表" columns={columns} rows={revisions} rowKey={(one) => one.version} />
      {act?.kind === "compare" && <CompareDialog act={act} revisions={revisions} onClose={close} />}
      {act?.kind === "restore" && <RestoreDialog id={publication.id} act={act} onClose={close} />}
    </Card>
  );
}

function CompareDialog({
  act: { revision },
  revisions,
  onClose,
}: {
  act: Act;
  revisions: readonly PersonalPublicationRevision[];
  onClose: () => void;
}) {
  const before = revisions.find(({ version }) => version < revision.version);
  return (
    <Dialog open onClose={onClose} maxWidth="md" fullWidth aria-labelledby="compare-title">
      <DialogTitle id="compare-title">
        {before ? `版本 ${before.version} 到版本 ${revision.version} 的改动` : `版本 ${revision.version}`}
      </DialogTitle>
      <DialogContent>
        <Difference before={before && toldOf(before)} after={toldOf(revision)} />
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>关闭</Button>
      </DialogActions>
    </Dialog>
  );
}

function RestoreDialog({ id, act: { revision }, onClose }: { id: string; act: Act; onClose: () => void }) {
  const [restore] = usePublicationRestoreMutation();
  return (
    <ReasonDialog
      ask={{
        title: `恢复版本 ${revision.version}`,
        note: "会以这个版本的内容生成新版本并立即发布。",
        fields: (
          <Box sx={{ maxHeight: 240, overflowY: "auto" }}>
            <Difference before={undefined} after={toldOf(revision)} />
          </Box>
        ),
        confirmText: "恢复并发布",
        templates: ["新版本有误", "活动延续"],
        onConfirm: async (reason) => {
          await restore({ id, version: revision.version, reason }).unwrap();
          toast.success("已恢复并发布");
        },
      }}
      onClose={onClose}
    />
  );
}
