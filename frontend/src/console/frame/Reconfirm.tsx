import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { TextButton } from "@/ui/TextButton";
import { messageOf } from "../api/envelope";
import { setReconfirm } from "../api/reconfirm";
import { useReconfirm } from "../session/calls";
import { CodeInput } from "./CodeInput";

/** Asks for the second factor again when a call requires a fresh one; then the call continues. */
export function Reconfirm() {
  const settle = useRef<(given: boolean) => void>(undefined);
  const [open, setOpen] = useState(false);

  useEffect(() => {
    setReconfirm(
      () =>
        new Promise((resolve) => {
          settle.current = resolve;
          setOpen(true);
        }),
    );
    return () => {
      setReconfirm(undefined);
      settle.current?.(false);
    };
  }, []);

  const end = (given: boolean) => {
    setOpen(false);
    settle.current?.(given);
    settle.current = undefined;
  };
  return (
    // above the dialog whose action requires it
    <Dialog
      open={open}
      onClose={() => end(false)}
      maxWidth="xs"
      fullWidth
      aria-labelledby="reconfirm-title"
      sx={{ zIndex: 1400 }}
    >
      {open && <Form onEnd={end} />}
    </Dialog>
  );
}

function Form({ onEnd }: { onEnd: (given: boolean) => void }) {
  const confirm = useReconfirm();
  const input = useRef<HTMLInputElement>(null);
  const [code, setCode] = useState("");
  const [recovery, setRecovery] = useState(false);
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (recovery ? code === "" : code.length !== 6) {
      setProblem(recovery ? "请输入恢复码" : "请输入 6 位动态口令");
      input.current?.focus();
      return;
    }
    setBusy(true);
    setProblem("");
    try {
      await confirm(code);
      onEnd(true);
    } catch (error) {
      setProblem(messageOf(error) || "没有确认成功，请重试");
      setCode("");
      setBusy(false);
      input.current?.focus();
    }
  }

  return (
    <form onSubmit={submit} noValidate>
      <DialogTitle id="reconfirm-title">再次确认身份</DialogTitle>
      <DialogContent>
        <Box sx={{ mb: 2, color: "text.secondary" }}>
          {`这项操作需要刚刚确认过的第二因素。${
            recovery ? "请输入一个恢复码，它用后作废。" : "请输入验证器中当前的动态口令。"
          }`}
        </Box>
        <CodeInput
          autoFocus
          label={recovery ? "恢复码" : "动态口令"}
          recovery={recovery}
          inputRef={input}
          value={code}
          problem={problem}
          onChange={setCode}
        />
        <TextButton
          color="inherit"
          sx={{ color: "text.secondary" }}
          onClick={() => {
            setRecovery(!recovery);
            setCode("");
            setProblem("");
            input.current?.focus();
          }}
        >
          {recovery ? "改用动态口令" : "使用恢复码"}
        </TextButton>
      </DialogContent>
      <DialogActions>
        <Button color="inherit" onClick={() => onEnd(false)} disabled={busy}>
          取消
        </Button>
        <Button type="submit" variant="contained" loading={busy}>
          确认
        </Button>
      </DialogActions>
    </form>
  );
}
