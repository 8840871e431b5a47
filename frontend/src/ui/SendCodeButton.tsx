import Button from "@mui/material/Button";

/** The button at the end of a code field: sends a code, then counts down until the next may be sent. */
export function SendCodeButton({
  seconds,
  busy,
  onSend,
  words,
}: {
  seconds: number;
  busy: boolean;
  onSend: () => void;
  words: { sendCode: string; resendIn: (seconds: number) => string };
}) {
  const counting = seconds > 0;
  return (
    <Button
      type="button"
      size="small"
      variant="text"
      disabled={counting || busy}
      onClick={onSend}
      className="tabular"
      sx={{ flexShrink: 0, mr: -0.75, px: 1, whiteSpace: "nowrap", minWidth: 88 }}
    >
      {counting ? words.resendIn(seconds) : words.sendCode}
    </Button>
  );
}
