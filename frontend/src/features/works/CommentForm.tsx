import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import { type FormEvent, type ReactNode, useState } from "react";

const LONGEST = 500;

/** Text field for a comment. `send` returns whether to clear it. */
export function CommentForm({
  label,
  start = "",
  action,
  autoFocus = false,
  send,
  onClose,
  children,
}: {
  label: string;
  start?: string;
  action: string;
  autoFocus?: boolean;
  send: (content: string) => Promise<boolean>;
  onClose?: () => void;
  /** Shown beside the button. */
  children?: ReactNode;
}) {
  const [content, setContent] = useState(start);
  const [busy, setBusy] = useState(false);
  const length = [...content.trim()].length;
  const long = length > LONGEST;
  async function submit(event: FormEvent) {
    event.preventDefault();
    if (length === 0 || long) return;
    setBusy(true);
    const taken = await send(content.trim());
    setBusy(false);
    if (taken) setContent("");
  }
  return (
    <Box
      component="form"
      aria-label={label}
      onSubmit={(event) => void submit(event)}
      sx={{ display: "grid", gap: 1 }}
    >
      <TextField
        multiline
        minRows={2}
        maxRows={10}
        autoFocus={autoFocus}
        label={label}
        value={content}
        onChange={(event) => setContent(event.target.value)}
        error={long}
        helperText={long ? `最多 ${LONGEST} 个字符，现在有 ${length} 个` : `${length} / ${LONGEST}`}
      />
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1, alignItems: "center" }}>
        <Button
          type="submit"
          variant="contained"
          size="small"
          loading={busy}
          disabled={length === 0 || long || content.trim() === start}
        >
          {action}
        </Button>
        {onClose && (
          <Button size="small" color="inherit" onClick={onClose}>
            取消
          </Button>
        )}
        {children}
      </Box>
    </Box>
  );
}
