import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import { useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import { messageOf } from "@/api";
import { useTextAntispamScanMutation } from "@/calls/personal";
import { useModelReleaseMutation, useUpdateModelFileMutation } from "@/calls/process";
import { useSession } from "@/session";
import type { ModelType } from "@/transfer/rules";
import { toast } from "@/ui/toast";
import { FILE_SOURCE, modelTypeCode } from "./flow";
import { LabelPicker } from "./LabelPicker";
import { judgeModelName, uploadTexts } from "./texts";

const MAX_LABELS = 5;

interface Fields {
  modelName: string;
}

/** Step 3, and the release dialog: a name that passed the scan, and labels. */
export function NameForm({
  fileId,
  modelType,
  defaultName,
  defaultLabels = [],
  submitText,
  release,
  onDone,
  onCancel,
}: {
  fileId: string;
  modelType: ModelType;
  defaultName: string;
  defaultLabels?: readonly string[];
  submitText: string;
  /** true: the file becomes a model; false: only its name and labels change */
  release: boolean;
  onDone: () => void;
  onCancel: () => void;
}) {
  const { loginId } = useSession();
  // A 401, also from the labels, ends the session: the form closes.
  useEffect(() => {
    if (loginId === "") onCancel();
  }, [loginId, onCancel]);
  const form = useForm<Fields>({ defaultValues: { modelName: defaultName }, mode: "onChange" });
  const [labels, setLabels] = useState<readonly string[]>(defaultLabels);
  const [scan] = useTextAntispamScanMutation();
  const [update] = useUpdateModelFileMutation();
  const [publish] = useModelReleaseMutation();

  const submit = form.handleSubmit(
    async ({ modelName }) => {
      const name = modelName.trim();
      try {
        await scan({ content: name }).unwrap();
      } catch (error) {
        const message = uploadTexts.nameRefused(messageOf(error) || "内容检测没有完成，请重试");
        form.setError("modelName", { message });
        toast.error(message);
        return;
      }
      try {
        await update({ fileId, modelName: name, labelIds: labels.join(",") }).unwrap();
        if (release) {
          await publish({
            userId: loginId,
            fileId,
            modelName: name,
            modelType: modelTypeCode[modelType],
            fileSource: FILE_SOURCE,
          }).unwrap();
        }
      } catch {
        // already reported by the shared wrapper; the form keeps its input
        return;
      }
      onDone();
    },
    () => toast.warning(uploadTexts.formIncomplete),
  );

  const { error } = form.getFieldState("modelName", form.formState);
  return (
    <Box component="form" noValidate onSubmit={submit}>
      <TextField
        label="模型名称"
        required
        fullWidth
        autoFocus
        error={error !== undefined}
        helperText={error?.message ?? "1 到 15 个字符"}
        slotProps={{
          htmlInput: { "aria-describedby": "model-name-help" },
          formHelperText: { id: "model-name-help" },
        }}
        {...form.register("modelName", { validate: (value) => judgeModelName(value) ?? true })}
      />
      <LabelPicker chosen={labels} most={MAX_LABELS} onChange={setLabels} />
      <Box sx={{ mt: 3, display: "flex", justifyContent: "flex-end", gap: 1.5 }}>
        <Button color="inherit" onClick={onCancel} disabled={form.formState.isSubmitting}>
          取消
        </Button>
        <Button type="submit" variant="contained" loading={form.formState.isSubmitting}>
          {submitText}
        </Button>
      </Box>
    </Box>
  );
}
