import Box from "@mui/material/Box";
import { toast } from "@/ui/toast";
import { DecisionBar } from "../../kit/reason";
import { useMay } from "../../session/slice";
import { APPROVALS, HIDINGS, REFUSALS, RESTORATIONS } from "./words";

type Run = (reason: string) => Promise<unknown>;

/** The review decision, and hiding or restoring; each asks for a reason. */
export function Acts({
  waiting,
  shown,
  hidden,
  approve,
  refuse,
  hide,
  restore,
}: {
  waiting: boolean;
  shown: boolean;
  hidden: boolean;
  approve: Run;
  refuse: Run;
  hide: Run;
  restore: Run;
}) {
  const may = useMay();
  const done = (run: Run, text: string) => async (reason: string) => {
    await run(reason);
    toast.success(text);
  };
  return (
    <Box sx={{ display: "flex", gap: 1, flexWrap: "wrap" }}>
      <DecisionBar
        label="审核与展示"
        decisions={[
          {
            id: "refuse",
            text: "拒绝",
            title: "拒绝展示",
            danger: true,
            shortcut: "R",
            allowed: waiting && may("matching.decide"),
            note: "原因会原样告诉本人，修改后可以再次提交。",
            templates: REFUSALS,
            onConfirm: done(refuse, "已拒绝"),
          },
          {
            id: "approve",
            text: "通过",
            title: "通过审核",
            main: true,
            shortcut: "A",
            allowed: waiting && may("matching.decide"),
            note: "通过后立即展示。原因只记入操作日志。",
            templates: APPROVALS,
            onConfirm: done(approve, "已通过"),
          },
          {
            id: "hide",
            text: "下架",
            title: "下架",
            danger: true,
            allowed: shown && may("matching.manage"),
            note: "立即不再展示。原因会告诉本人。",
            templates: HIDINGS,
            onConfirm: done(hide, "已下架"),
          },
          {
            id: "restore",
            text: "恢复展示",
            main: true,
            allowed: hidden && may("matching.manage"),
            note: "立即重新展示。",
            templates: RESTORATIONS,
            onConfirm: done(restore, "已恢复展示"),
          },
        ]}
      />
    </Box>
  );
}
