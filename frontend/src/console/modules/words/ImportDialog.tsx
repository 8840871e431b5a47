import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useState } from "react";
import { toast } from "@/ui/toast";
import { useWordImportMutation } from "../../api/generated/personal";
import { ChoiceInput } from "../../kit/ChoiceInput";
import { ReasonDialog } from "../../kit/reason";
import { TextInput } from "../../kit/TextInput";
import { ACTIONS, type Action, MOST_IMPORTED, readWords } from "./words";

/** Maximum number of problems shown at once. */
const TOLD = 5;
/** Above the size of a thousand words with notes. */
const MOST_SIGNS = 400_000;

/** Imports many words at once, from a file or pasted: all of them, or none. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const [run] = useWordImportMutation();
  const [text, setText] = useState("");
  const [action, setAction] = useState<Action>("refuse");
  const { words, problems } = readWords(text, action);

  async function take(file: File | undefined) {
    if (!file) return;
    if (file.size > MOST_SIGNS * 3) toast.error(`文件过大，一次最多导入 ${MOST_IMPORTED} 个词语`);
    else setText((await file.text()).slice(0, MOST_SIGNS));
  }

  return (
    <ReasonDialog
      ask={{
        title: "导入敏感词",
        note: "每行一个：词语,处理,替换为,备注。除词语外都可省略；已有的词语会被修改。全部成功或全部不导入。",
        confirmText: "导入",
        ready: words.length > 0 && problems.length === 0,
        fields: (
          <Box>
            <ChoiceInput label="未写处理方式时" value={action} choices={ACTIONS} onChange={setAction} />
            <Button component="label" size="small" variant="outlined" sx={{ mb: 1.5 }}>
              选择文件
              <input
                type="file"
                accept=".txt,.csv,text/plain,text/csv"
                hidden
                onChange={({ target }) => {
                  void take(target.files?.[0]);
                  target.value = "";
                }}
              />
            </Button>
            <TextInput
              label="词语"
              rows={6}
              max={MOST_SIGNS}
              value={text}
              problem={problems.slice(0, TOLD).join("；")}
              hint={`将导入 ${words.length} 个词语`}
              onChange={setText}
            />
          </Box>
        ),
        templates: ["更新词库", "专项治理"],
        onConfirm: async (reason) => {
          const { added, changed } = await run({ words, reason }).unwrap();
          toast.success(`已新增 ${added} 个，修改 ${changed} 个`);
        },
      }}
      onClose={onClose}
    />
  );
}
