import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import { type FormEvent, useState } from "react";
import { toast } from "@/ui/toast";
import { messageOf } from "../../api/envelope";
import { type PersonalWordItem, useWordSaveMutation } from "../../api/generated/personal";
import { ChoiceInput } from "../../kit/ChoiceInput";
import { TextInput } from "../../kit/TextInput";
import { ACTIONS, type Action, MOST_OF_NOTE, MOST_OF_WORD, readAction, wordProblem } from "./words";

/** Adds a word, or changes its action. */
export function WordDialog({ word, onClose }: { word?: PersonalWordItem; onClose: () => void }) {
  const [save, { isLoading }] = useWordSaveMutation();
  const [text, setText] = useState(word?.word ?? "");
  const [action, setAction] = useState<Action>(readAction(word?.action ?? "") ?? "refuse");
  const [replacement, setReplacement] = useState(word?.replacement ?? "");
  const [note, setNote] = useState(word?.note ?? "");
  const [problem, setProblem] = useState("");

  async function submit(event: FormEvent) {
    event.preventDefault();
    const wrong = wordProblem(text);
    setProblem(wrong);
    if (wrong) return;
    try {
      const form = { word: text.trim(), action, replacement: action === "replace" ? replacement : "", note };
      await save({ word: form, isNew: !word }).unwrap();
      toast.success("已保存");
      onClose();
    } catch (error) {
      setProblem(messageOf(error) || "没有保存成功，请稍后重试");
    }
  }

  return (
    <Dialog open onClose={onClose} maxWidth="xs" fullWidth aria-labelledby="word-title">
      <form onSubmit={submit} noValidate>
        <DialogTitle id="word-title">{word ? `修改“${word.word}”` : "添加敏感词"}</DialogTitle>
        <DialogContent>
          <TextInput
            label="词语"
            autoFocus={!word}
            disabled={Boolean(word)}
            max={MOST_OF_WORD}
            value={text}
            problem={problem}
            onChange={setText}
          />
          <ChoiceInput label="处理" value={action} choices={ACTIONS} onChange={setAction} />
          {action === "replace" && (
            <TextInput
              label="替换为"
              hint="不填则替换为星号"
              max={MOST_OF_WORD}
              value={replacement}
              onChange={setReplacement}
            />
          )}
          <TextInput label="备注" max={MOST_OF_NOTE} value={note} onChange={setNote} />
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
