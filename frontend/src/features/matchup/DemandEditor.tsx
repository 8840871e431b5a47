import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import { useState } from "react";
import { useNavigate } from "react-router";
import {
  type MatchupDemand,
  useDeleteDemandMutation,
  useMatchupFiguresQuery,
  useSaveDemandMutation,
  useSubmitDemandMutation,
} from "@/calls/matchup";
import { useSession } from "@/session";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { DateField } from "@/ui/DateField";
import { dayOf } from "@/ui/numbers";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { ReadFailed } from "@/ui/ReadFailed";
import { toast } from "@/ui/toast";
import { DemandFiles } from "./DemandFiles";
import { dayAhead, demandPath, editPath, endOfDay, MINE } from "./words";

const MOST_TITLE = 60;
const MOST_CONTENT = 3000;
const MOST_CONTACT = 100;

interface Form {
  category: string;
  industry: string;
  title: string;
  content: string;
  low: string;
  high: string;
  day: string;
  contact: string;
}

const formOf = (demand?: MatchupDemand): Form => ({
  category: demand?.category ?? "",
  industry: demand?.industry ?? "",
  title: demand?.title ?? "",
  content: demand?.content ?? "",
  low: demand?.budgetLow ? String(demand.budgetLow) : "",
  high: demand?.budgetHigh ? String(demand.budgetHigh) : "",
  day: demand?.until ? dayOf(demand.until) : dayAhead(14),
  contact: demand?.ownContact ?? "",
});

const amount = (text: string): number => (/^\d{1,9}$/.test(text) ? Number(text) : 0);

/** Form of a demand. It is saved before files are added, since they belong to it. */
export function DemandEditor({ demand }: { demand?: MatchupDemand }) {
  const { loginId } = useSession();
  const navigate = useNavigate();
  const known = useMatchupFiguresQuery({});
  const lists = known.data;
  const [form, setForm] = useState(() => formOf(demand));
  const [asked, setAsked] = useState(false);
  const [save, saving] = useSaveDemandMutation();
  const [submit, submitting] = useSubmitDemandMutation();
  const [remove] = useDeleteDemandMutation();
  const set = (change: Partial<Form>) => setForm((old) => ({ ...old, ...change }));
  const busy = saving.isLoading || submitting.isLoading;

  /** Saves the demand and returns it; undefined on failure, already reported by the shared wrapper. */
  const keep = async (): Promise<MatchupDemand | undefined> => {
    const answer = await save({
      userId: loginId,
      demandId: demand?.demandId ?? "",
      category: form.category,
      industry: form.industry,
      title: form.title.trim(),
      content: form.content.trim(),
      budgetLow: amount(form.low),
      budgetHigh: amount(form.high),
      until: endOfDay(form.day),
      contact: form.contact.trim(),
    });
    return answer.data;
  };
  const draft = async () => {
    const kept = await keep();
    if (!kept) return;
    toast.success("草稿已保存");
    if (!demand) await navigate(editPath(kept.demandId), { replace: true });
  };
  const hand = async () => {
    const kept = await keep();
    if (!kept) return;
    const answer = await submit({ userId: loginId, demandId: kept.demandId });
    if (answer.error) {
      // The saved draft must not be created a second time.
      if (!demand) await navigate(editPath(kept.demandId), { replace: true });
      return;
    }
    toast.success(answer.data.state === "open" ? "需求已发布" : "已提交审核");
    await navigate(demandPath(kept.demandId));
  };

  return (
    <>
      <PageHeader
        title={demand ? "修改需求" : "发布需求"}
        note="写清现状、要求、交付与怎样算完成。正文里不要留联系方式，选定后双方自动可见。"
      />
      {known.isError && !known.isFetching && (
        <ReadFailed what="类别与行业" onRetry={() => void known.refetch()} />
      )}
      {demand?.reason && (
        <Box role="note" sx={{ mb: 2, color: "error.main" }}>{`未通过的原因：${demand.reason}`}</Box>
      )}
      <Box
        component="form"
        aria-label="需求"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void hand();
        }}
        sx={{ display: "grid", gap: 3, maxWidth: 860 }}
      >
        <Panel title="要做什么">
          <Box sx={{ px: 2.5, pb: 2.5, pt: 1, display: "grid", gap: 2.5 }}>
            <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: { xs: "1fr", sm: "1fr 1fr" } }}>
              <Choice
                label="类别"
                value={form.category}
                choices={lists?.categories ?? []}
                onChange={(category) => set({ category })}
              />
              <Choice
                label="行业（可不选）"
                value={form.industry}
                choices={lists?.industries ?? []}
                onChange={(industry) => set({ industry })}
              />
            </Box>
            <TextField
              label="标题"
              value={form.title}
              onChange={(event) => set({ title: event.target.value })}
              placeholder="例如：减速机 STEP 装配体轻量化，网页上能转能拆"
              helperText={`${form.title.length}/${MOST_TITLE}`}
              slotProps={{ htmlInput: { maxLength: MOST_TITLE } }}
            />
            <TextField
              label="需求说明"
              multiline
              minRows={8}
              maxRows={20}
              value={form.content}
              onChange={(event) => set({ content: event.target.value })}
              placeholder={"现状：\n要求：\n交付：\n怎样算完成："}
              helperText={`${form.content.length}/${MOST_CONTENT}`}
              slotProps={{ htmlInput: { maxLength: MOST_CONTENT }, inputLabel: { shrink: true } }}
            />
          </Box>
        </Panel>
        <Panel title="预算与时间">
          <Box sx={{ px: 2.5, pb: 2.5, pt: 1, display: "grid", gap: 2.5 }}>
            <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: { xs: "1fr", sm: "1fr 1fr" } }}>
              <TextField
                label="预算下限（元）"
                value={form.low}
                onChange={(event) => set({ low: event.target.value.replace(/\D/g, "") })}
                slotProps={{ htmlInput: { inputMode: "numeric", maxLength: 9 } }}
              />
              <TextField
                label="预算上限（元）"
                value={form.high}
                onChange={(event) => set({ high: event.target.value.replace(/\D/g, "") })}
                helperText="都不填表示面议"
                slotProps={{ htmlInput: { inputMode: "numeric", maxLength: 9 } }}
              />
            </Box>
            <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 1.5 }}>
              <span>报价截止</span>
              <DateField
                label="报价截止日期"
                value={form.day}
                min={dayAhead(1)}
                max={dayAhead(365)}
                onChange={(day) => set({ day })}
              />
            </Box>
            <TextField
              label="联系方式"
              value={form.contact}
              onChange={(event) => set({ contact: event.target.value })}
              helperText="手机、微信或邮箱。只在选定之后给选定的服务商看。"
              slotProps={{ htmlInput: { maxLength: MOST_CONTACT, autoComplete: "off" } }}
            />
          </Box>
        </Panel>
        {demand ? (
          <DemandFiles demand={demand} />
        ) : (
          <Box sx={{ fontSize: 13, color: "text.secondary" }}>保存草稿后可以添加附件。</Box>
        )}
        <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1.5 }}>
          <Button type="submit" variant="contained" loading={busy}>
            提交审核
          </Button>
          <Button variant="outlined" disabled={busy} onClick={() => void draft()}>
            保存草稿
          </Button>
          {demand && (
            <Button color="error" disabled={busy} onClick={() => setAsked(true)}>
              删除
            </Button>
          )}
        </Box>
      </Box>
      <ConfirmDialog
        open={asked}
        danger
        title="删除这个需求？"
        confirmText="删除"
        onClose={() => setAsked(false)}
        onConfirm={async () => {
          const answer = await remove({ userId: loginId, demandId: demand?.demandId ?? "" });
          setAsked(false);
          if (answer.error) return;
          toast.success("已删除");
          await navigate(MINE, { replace: true });
        }}
      >
        文字与附件一并删除，不能恢复。
      </ConfirmDialog>
    </>
  );
}

function Choice({
  label,
  value,
  choices,
  onChange,
}: {
  label: string;
  value: string;
  choices: readonly string[];
  onChange: (value: string) => void;
}) {
  // Keeps the current value selectable before the list is loaded.
  const all = value && !choices.includes(value) ? [value, ...choices] : choices;
  return (
    <TextField select label={label} value={value} onChange={(event) => onChange(event.target.value)}>
      <MenuItem value="">不选</MenuItem>
      {all.map((one) => (
        <MenuItem key={one} value={one}>
          {one}
        </MenuItem>
      ))}
    </TextField>
  );
}
