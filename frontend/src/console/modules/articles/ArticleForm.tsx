import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useLeaving } from "@/ui/useLeaving";
import { messageOf } from "../../api/envelope";
import { useContentCategoryListQuery } from "../../api/generated/content";
import { ChoiceInput } from "../../kit/ChoiceInput";
import { Card } from "../../kit/page";
import { TextInput } from "../../kit/TextInput";
import { BlockEditor } from "./BlockEditor";
import { type Draft, MOST, problemsOf } from "./form";
import type { Kind } from "./words";

/** The whole article: the fields shown in lists, and its blocks. */
export function ArticleForm({
  kind,
  start,
  top,
  ready,
  onSave,
  onReload,
  onWriting,
}: {
  kind: Kind;
  start: Draft;
  /** Above the fields: kind and slug of a new article. */
  top?: ReactNode;
  /** Called before saving: whether the fields above are valid. */
  ready?: () => boolean;
  onSave: (draft: Draft, saved: () => void) => Promise<void>;
  /** Reloads from the server after another operator has saved. */
  onReload?: () => void;
  onWriting?: (writing: boolean) => void;
}) {
  const [draft, setDraft] = useState(start);
  const [changed, setChanged] = useState(false);
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState("");
  const form = useRef<HTMLFormElement>(null);
  const { leaving, saved, typed } = useLeaving(changed);
  useEffect(() => onWriting?.(changed), [changed, onWriting]);
  const problems = problemsOf(draft);
  const shownProblems = tried ? problems : {};
  const set = (change: Partial<Draft>) => {
    typed();
    setChanged(true);
    setDraft((old) => ({ ...old, ...change }));
  };

  async function save() {
    setTried(true);
    setFailed("");
    const sound = ready?.() ?? true;
    if (!sound || Object.keys(problems).length > 0) {
      window.setTimeout(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
      return;
    }
    setBusy(true);
    try {
      await onSave(draft, () => {
        saved();
        setChanged(false);
      });
    } catch (error) {
      setFailed(messageOf(error) || "没有保存成功，请稍后重试");
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
        gridTemplateColumns: { xs: "minmax(0, 1fr)", lg: "minmax(0, 2fr) minmax(0, 3fr)" },
      }}
    >
      <Card title="概要">
        {top}
        <Meta kind={kind} draft={draft} shownProblems={shownProblems} set={set} />
      </Card>
      <Card title="正文">
        {shownProblems.blocks && (
          <Box role="alert" sx={{ mb: 1, fontSize: 12, color: "error.main" }}>
            {shownProblems.blocks}
          </Box>
        )}
        <BlockEditor blocks={draft.blocks} where="正文" onChange={(blocks) => set({ blocks })} />
        {failed && (
          <Alert
            severity="error"
            sx={{ mt: 2 }}
            action={
              onReload && (
                <Button size="small" color="inherit" onClick={onReload}>
                  读取最新版本
                </Button>
              )
            }
          >
            {failed}
          </Alert>
        )}
        <Button type="submit" variant="contained" loading={busy} disabled={!changed} sx={{ mt: 2 }}>
          保存草稿
        </Button>
      </Card>
      {leaving}
    </Box>
  );
}

function Meta({
  kind,
  draft,
  shownProblems,
  set,
}: {
  kind: Kind;
  draft: Draft;
  shownProblems: Readonly<Record<string, string>>;
  set: (change: Partial<Draft>) => void;
}) {
  const { data } = useContentCategoryListQuery({ kind });
  const categories = [
    { value: "", text: "无" },
    ...(data?.categories ?? []).map(({ id, title }) => ({ value: id, text: title })),
  ];
  // a category that is not loaded yet, or was deleted, is shown by its id
  const known = categories.some(({ value }) => value === draft.categoryId);
  const field = (
    name: "title" | "summary" | "date" | "sample" | "view" | "alt" | "related",
    label: string,
    more: { rows?: number; max?: number; hint?: string } = {},
  ) => (
    <TextInput
      label={label}
      value={draft[name]}
      problem={shownProblems[name]}
      {...more}
      onChange={(text) => set({ [name]: text })}
    />
  );
  return (
    <>
      {field("title", "标题", { max: MOST.title * 2 })}
      {field("summary", "摘要", {
        rows: 2,
        max: MOST.summary * 2,
        hint: `最多 ${MOST.summary} 个字符，也是搜索结果里的描述`,
      })}
      <ChoiceInput
        label="分类"
        value={draft.categoryId}
        choices={known ? categories : [...categories, { value: draft.categoryId, text: draft.categoryId }]}
        onChange={(categoryId) => set({ categoryId })}
      />
      <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: "1fr 1fr" }}>
        {field("date", "日期", { max: 10 })}
        <TextInput
          label="排序"
          inputMode="numeric"
          hint="小的在前"
          max={6}
          value={Number.isNaN(draft.order) ? "" : String(draft.order)}
          problem={shownProblems.order}
          onChange={(text) => set({ order: /^-?\d+$/.test(text) ? Number(text) : Number.NaN })}
        />
      </Box>
      {field("sample", "封面的示例模型", { max: 40, hint: "可不填；modelkit sample 的名字" })}
      {field("view", "封面视角", { max: 40 })}
      {field("alt", "封面上是什么", { max: 200 })}
      {field("related", "相关文章", { max: 800, hint: "短名，或 类型/短名，用空格隔开" })}
    </>
  );
}
