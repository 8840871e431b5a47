import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useLeaving } from "@/ui/useLeaving";
import { messageOf } from "../../api/envelope";
import { ChoiceInput } from "../../kit/ChoiceInput";
import { MomentInput } from "../../kit/MomentInput";
import { Card } from "../../kit/page";
import { TextInput } from "../../kit/TextInput";
import { type Draft, type FieldRule, fieldsOf, problemsOf } from "./form";
import { PictureInput } from "./PictureInput";
import { Preview } from "./Preview";

const MOST_OF_ADDRESS = 2_000;

/** The form of a draft beside its preview. */
export function Editor({
  start,
  top,
  onSave,
  onPublish,
  overtaken,
  isOvertaken,
  onWriting,
}: {
  start: Draft;
  /** Above the fields: the kind of a new publication. */
  top?: ReactNode;
  onSave: (draft: Draft, saved: () => void) => Promise<void>;
  /** Offers to publish the form's content; `changed`: it must be saved first. */
  onPublish: (draft: Draft, changed: boolean, saved: () => void) => void;
  /** Told above the buttons after another operator has saved. */
  overtaken?: ReactNode;
  /** Whether a call failed because of that, so that `overtaken` tells it. */
  isOvertaken?: (error: unknown) => Promise<boolean>;
  /** Reports whether there are unsaved changes. */
  onWriting?: (writing: boolean) => void;
}) {
  const [draft, setDraft] = useState(start);
  // what was pressed last: saving (0), or publishing, and when
  const [pressed, setPressed] = useState<number>();
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState("");
  const form = useRef<HTMLFormElement>(null);
  const changed = JSON.stringify(draft) !== JSON.stringify(start);
  const { leaving, saved, typed } = useLeaving(changed);
  useEffect(() => onWriting?.(changed), [changed, onWriting]);
  const shownProblems = pressed === undefined ? {} : problemsOf(draft, pressed);
  const set = (change: Partial<Draft>) => {
    typed();
    setDraft((old) => ({ ...old, ...change }));
  };

  /** Whether the form may be saved, or published at a time; otherwise the first wrong field gets the focus. */
  function checked(publishedAt = 0): boolean {
    setPressed(publishedAt);
    setFailed("");
    if (Object.keys(problemsOf(draft, publishedAt)).length === 0) return true;
    window.setTimeout(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
    return false;
  }

  async function save() {
    if (!checked()) return;
    setBusy(true);
    try {
      await onSave(draft, saved);
    } catch (error) {
      if (!(await isOvertaken?.(error))) setFailed(messageOf(error) || "没有保存成功，请稍后重试。");
    } finally {
      setBusy(false);
    }
  }

  return (
    <Box
      component="form"
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
      sx={{
        display: "grid",
        gap: 2,
        alignItems: "start",
        gridTemplateColumns: { xs: "minmax(0, 1fr)", lg: "minmax(0, 3fr) minmax(0, 2fr)" },
      }}
    >
      <Card title="编辑">
        {top}
        {fieldsOf(draft).map((rule) => (
          <RuleField
            key={`${draft.kind}.${rule.name}`}
            rule={rule}
            value={draft.fields[rule.name] ?? ""}
            problem={shownProblems[rule.name]}
            onChange={(value) => set({ fields: { ...draft.fields, [rule.name]: value } })}
          />
        ))}
        <Box sx={{ display: "flex", flexWrap: "wrap", columnGap: 3 }}>
          <MomentInput
            label="开始时间"
            empty="发布后立即"
            value={draft.startsAt}
            onChange={(startsAt) => set({ startsAt })}
          />
          <MomentInput
            label="结束时间"
            empty="不结束"
            problem={shownProblems.endsAt}
            value={draft.endsAt}
            onChange={(endsAt) => set({ endsAt })}
          />
        </Box>
        <Box sx={{ maxWidth: 240 }}>
          <TextInput
            label="排序"
            inputMode="numeric"
            hint="小的在前"
            max={5}
            value={Number.isNaN(draft.position) ? "" : String(draft.position)}
            problem={shownProblems.position}
            onChange={(text) => set({ position: /^-?\d+$/.test(text) ? Number(text) : Number.NaN })}
          />
        </Box>
        {failed && (
          <Alert severity="error" sx={{ mb: 1.5 }}>
            {failed}
          </Alert>
        )}
        {overtaken}
        <Box sx={{ display: "flex", gap: 1, flexWrap: "wrap" }}>
          <Button type="submit" variant="outlined" loading={busy} disabled={!changed}>
            保存草稿
          </Button>
          <Button
            variant="contained"
            disabled={busy}
            onClick={() => checked(Date.now()) && onPublish(draft, changed, saved)}
          >
            发布
          </Button>
        </Box>
      </Card>
      <Card title="预览">
        <Preview draft={draft} />
      </Card>
      {leaving}
    </Box>
  );
}

function RuleField({
  rule,
  value,
  problem,
  onChange,
}: {
  rule: FieldRule;
  value: string | number;
  problem?: string;
  onChange: (value: string | number) => void;
}) {
  if (rule.choices)
    return (
      <ChoiceInput label={rule.label} value={Number(value)} choices={rule.choices} onChange={onChange} />
    );
  if (rule.picture)
    return (
      <PictureInput
        label={rule.label}
        value={String(value)}
        max={MOST_OF_ADDRESS}
        problem={problem}
        onChange={onChange}
      />
    );
  return (
    <TextInput
      label={rule.label}
      value={String(value)}
      rows={rule.rows}
      max={rule.most ?? MOST_OF_ADDRESS}
      inputMode={rule.address ? "url" : undefined}
      hint={rule.hint}
      problem={problem}
      onChange={onChange}
    />
  );
}
