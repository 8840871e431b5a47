import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import { type FormEvent, useState } from "react";
import { toast } from "@/ui/toast";
import { messageOf } from "../../api/envelope";
import { type ContentContentCategory, useContentCategorySaveMutation } from "../../api/generated/content";
import { ChoiceInput } from "../../kit/ChoiceInput";
import { TextInput } from "../../kit/TextInput";
import { MOST, slugProblem } from "./form";
import type { Kind } from "./words";

/** Creates or edits a category. */
export function CategoryDialog({
  kind,
  category,
  parents,
  onClose,
}: {
  kind: Kind;
  category?: ContentContentCategory;
  parents: readonly ContentContentCategory[];
  onClose: () => void;
}) {
  const [save, { isLoading }] = useContentCategorySaveMutation();
  const [title, setTitle] = useState(category?.title ?? "");
  const [slug, setSlug] = useState(category?.slug ?? "");
  const [summary, setSummary] = useState(category?.summary ?? "");
  const [parentId, setParentId] = useState(category?.parentId ?? "");
  const [order, setOrder] = useState(String(category?.order ?? 100));
  const [tried, setTried] = useState(false);
  const [failed, setFailed] = useState("");
  const problems = {
    title: title.trim() ? "" : "请填写名称",
    slug: slugProblem(slug),
    order: /^-?\d{1,6}$/.test(order) ? "" : "排序应为整数",
  };
  const shownProblems = tried ? problems : { title: "", slug: "", order: "" };

  async function submit(event: FormEvent) {
    event.preventDefault();
    setTried(true);
    setFailed("");
    if (Object.values(problems).some(Boolean)) return;
    try {
      const id = category?.id ?? "";
      await save({
        id,
        kind,
        slug,
        parentId,
        title: title.trim(),
        summary: summary.trim(),
        order: Number(order),
      }).unwrap();
      toast.success("已保存");
      onClose();
    } catch (error) {
      setFailed(messageOf(error) || "没有保存成功，请稍后重试");
    }
  }

  return (
    <Dialog open onClose={onClose} maxWidth="xs" fullWidth aria-labelledby="category-title">
      <form onSubmit={submit} noValidate>
        <DialogTitle id="category-title">{category ? `修改“${category.title}”` : "添加分类"}</DialogTitle>
        <DialogContent>
          <TextInput
            label="名称"
            max={MOST.title}
            value={title}
            problem={shownProblems.title}
            onChange={setTitle}
          />
          <TextInput
            label="短名"
            max={MOST.slug}
            value={slug}
            problem={shownProblems.slug || failed}
            onChange={setSlug}
          />
          <ChoiceInput
            label="上级"
            value={parentId}
            choices={[
              { value: "", text: "无" },
              ...parents.map((one) => ({ value: one.id, text: one.title })),
            ]}
            onChange={setParentId}
          />
          <TextInput label="说明" rows={2} max={MOST.summary} value={summary} onChange={setSummary} />
          <TextInput
            label="排序"
            inputMode="numeric"
            max={6}
            value={order}
            problem={shownProblems.order}
            onChange={setOrder}
          />
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose} disabled={isLoading} color="inherit">
            取消
          </Button>
          <Button type="submit" variant="contained" loading={isLoading}>
            保存
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
