import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import FormHelperText from "@mui/material/FormHelperText";
import TextField from "@mui/material/TextField";
import ToggleButton from "@mui/material/ToggleButton";
import ToggleButtonGroup from "@mui/material/ToggleButtonGroup";
import { useState } from "react";
import { useSubmitFeedbackMutation } from "@/calls/personal";
import { FileUploader, useUploads } from "@/features/uploader";
import { toast } from "@/ui/toast";
import { ANNEX, FEEDBACK_END, FEEDBACK_TYPES, MAX_CONTENT, messages, PICTURES } from "./rules";

/** Type, text, up to five pictures and one archive. */
export function FeedbackForm({ onDone }: { onDone: () => void }) {
  const [type, setType] = useState<number | null>(null);
  const [content, setContent] = useState("");
  const [tried, setTried] = useState(false);
  const pictures = useUploads(PICTURES);
  const annex = useUploads(ANNEX);
  const [submit, { isLoading }] = useSubmitFeedbackMutation();
  const noType = tried && type === null ? messages.typeRequired : undefined;
  const noContent = tried && !content.trim() ? messages.contentRequired : undefined;

  const send = async () => {
    setTried(true);
    if (type === null || !content.trim()) return;
    if (pictures.busy || annex.busy) {
      toast.error(messages.uploading);
      return;
    }
    const answer = await submit({
      feedbackType: type,
      feedbackContent: content.trim(),
      feedbackEnd: FEEDBACK_END,
      feedbackPictureUrl: pictures.addresses.join(","),
      feedbackAnnexUrl: annex.addresses.join(","),
    });
    if (answer.error) return;
    toast.success(messages.submitted);
    onDone();
  };

  return (
    <Box
      component="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
      sx={{ display: "grid", gap: 2.5 }}
    >
      <Box>
        <ToggleButtonGroup
          exclusive
          fullWidth
          color="primary"
          aria-label="反馈类型"
          value={type}
          onChange={(_event, value: number | null) => value !== null && setType(value)}
        >
          {FEEDBACK_TYPES.map(({ value, text }) => (
            <ToggleButton key={value} value={value} sx={{ height: 40 }}>
              {text}
            </ToggleButton>
          ))}
        </ToggleButtonGroup>
        {noType && (
          <FormHelperText error role="alert">
            {noType}
          </FormHelperText>
        )}
      </Box>
      <TextField
        label="问题与建议"
        multiline
        minRows={4}
        maxRows={10}
        value={content}
        onChange={(event) => setContent(event.target.value)}
        error={Boolean(noContent)}
        helperText={noContent ?? `${content.length}/${MAX_CONTENT}`}
        placeholder="发生了什么，在哪个页面，您希望怎样"
        slotProps={{ htmlInput: { maxLength: MAX_CONTENT } }}
      />
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
      <Button type="submit" variant="contained" size="large" loading={isLoading}>
        提交
      </Button>
    </Box>
  );
}
