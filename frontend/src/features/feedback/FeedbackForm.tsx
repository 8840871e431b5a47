import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import ToggleButton from "@mui/material/ToggleButton";
import ToggleButtonGroup from "@mui/material/ToggleButtonGroup";
import { useId } from "react";
import { useController, useForm } from "react-hook-form";
import { useSubmitFeedbackMutation } from "@/calls/personal";
import { FileUploader, useUploads } from "@/features/uploader";
import { Field } from "@/ui/Field";
import { toast } from "@/ui/toast";
import { ANNEX, FEEDBACK_END, FEEDBACK_TYPES, MAX_CONTENT, messages, PICTURES } from "./rules";

interface Values {
  type: number | null;
  content: string;
}

/** Type, text, up to five pictures and one archive, in a dialog: they scroll, and the button stays below them. */
export function FeedbackForm({ hidden, onDone }: { hidden: boolean; onDone: () => void }) {
  const typeId = useId();
  const { register, handleSubmit, control, formState, watch } = useForm<Values>({
    defaultValues: { type: null, content: "" },
  });
  const type = useController({
    control,
    name: "type",
    rules: { validate: (value) => value !== null || messages.typeRequired },
  });
  const noType = type.fieldState.error?.message;
  const pictures = useUploads(PICTURES);
  const annex = useUploads(ANNEX);
  const [submit, { isLoading }] = useSubmitFeedbackMutation();

  const send = handleSubmit(async (values) => {
    if (values.type === null) return;
    if (pictures.busy || annex.busy) {
      toast.error(messages.uploading);
      return;
    }
    const answer = await submit({
      feedbackType: values.type,
      feedbackContent: values.content.trim(),
      feedbackEnd: FEEDBACK_END,
      feedbackPictureUrl: pictures.addresses.join(","),
      feedbackAnnexUrl: annex.addresses.join(","),
    });
    if (answer.error) return;
    toast.success(messages.submitted);
    onDone();
  });

  return (
    // The theme makes a dialog's form a column, so that hiding it needs a style.
    <Box
      component="form"
      noValidate
      onSubmit={send}
      hidden={hidden}
      sx={{ "&[hidden]": { display: "none !important" } }}
    >
      <DialogContent>
        <Box id={typeId} sx={{ mb: 0.75, fontSize: 13, lineHeight: "20px", color: "text.secondary" }}>
          反馈类型
        </Box>
        <ToggleButtonGroup
          exclusive
          fullWidth
          color="primary"
          aria-labelledby={typeId}
          value={type.field.value}
          onChange={(_event, value: number | null) => value !== null && type.field.onChange(value)}
        >
          {FEEDBACK_TYPES.map(({ value, text }, index) => (
            <ToggleButton
              key={value}
              // a missing type gets the focus
              ref={index === 0 ? type.field.ref : undefined}
              value={value}
              sx={{ height: 40 }}
            >
              {text}
            </ToggleButton>
          ))}
        </ToggleButtonGroup>
        <Box
          role={noType ? "alert" : undefined}
          sx={{ minHeight: 26, mb: 1, pt: 0.375, fontSize: 12, lineHeight: "18px", color: "error.main" }}
        >
          {noType}
        </Box>
        <Field
          label="问题与建议"
          rows={4}
          field={register("content", {
            validate: (text) => text.trim() !== "" || messages.contentRequired,
          })}
          error={formState.errors.content?.message}
          hint={`${watch("content").length}/${MAX_CONTENT}`}
          most={MAX_CONTENT}
          placeholder="发生了什么，在哪个页面，您希望怎样"
        />
        <Box sx={{ display: "grid", gap: 2, mt: 1 }}>
          <FileUploader
            label="图片"
            hint="最多 5 张，每张不超过 2M"
            kind={PICTURES.kind}
            most={PICTURES.most}
            uploads={pictures}
          />
          <FileUploader
            label="附件"
            hint="一个 zip 或 rar，不超过 20M"
            kind={ANNEX.kind}
            most={ANNEX.most}
            uploads={annex}
          />
        </Box>
      </DialogContent>
      <DialogActions>
        <Button type="submit" variant="contained" size="large" fullWidth loading={isLoading}>
          提交
        </Button>
      </DialogActions>
    </Box>
  );
}
