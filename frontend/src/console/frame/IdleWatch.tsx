import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import { useEffect, useState } from "react";
import { useDispatch } from "react-redux";
import { useSignOut, useStay } from "../session/calls";
import { left, useOperator, useSession } from "../session/slice";

/** How long before a session's end the warning appears, in milliseconds. */
export const WARN_MS = 2 * 60_000;
/** The page ends this much before the server does, so that it never shows data of an ended session. */
const AHEAD_MS = 5_000;

/** When the session will end, and whether because it is idle. */
export function endOf(
  heardAt: number,
  idleMinutes: number,
  expiresAt: number,
): { at: number; idle: boolean } {
  const idleAt = heardAt + idleMinutes * 60_000 - AHEAD_MS;
  return idleAt < expiresAt ? { at: idleAt, idle: true } : { at: expiresAt, idle: false };
}

const clock = (ms: number): string => {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
};

/** Warns before the session ends, and ends it, which clears the page. */
export function IdleWatch() {
  const dispatch = useDispatch();
  const { heardAt } = useSession();
  const { idleMinutes, expiresAt } = useOperator();
  const stay = useStay();
  const signOut = useSignOut();
  const [now, setNow] = useState(() => Date.now());
  const [busy, setBusy] = useState(false);
  const end = endOf(heardAt, idleMinutes, expiresAt);
  const rest = end.at - now;

  useEffect(() => {
    // An interval instead of one timeout, so that a machine that slept is caught by the next tick.
    const timer = window.setInterval(() => setNow(Date.now()), 1000);
    return () => window.clearInterval(timer);
  }, []);
  useEffect(() => {
    if (rest <= 0) dispatch(left(end.idle ? "idle" : "expired"));
  }, [rest, end.idle, dispatch]);

  async function goOn() {
    setBusy(true);
    await stay();
    setNow(Date.now());
    setBusy(false);
  }

  return (
    <Dialog
      open={rest > 0 && rest <= WARN_MS}
      maxWidth="xs"
      fullWidth
      aria-labelledby="idle-title"
      role="alertdialog"
    >
      <DialogTitle id="idle-title">{end.idle ? "长时间没有操作" : "本次登录即将到期"}</DialogTitle>
      <DialogContent>
        {end.idle
          ? `${idleMinutes} 分钟没有操作会自动退出。还有 ${clock(rest)}。`
          : `为了安全，每次登录到时必须重新进行。还有 ${clock(rest)}，请尽快完成手头的操作。`}
      </DialogContent>
      <DialogActions>
        <Button color="inherit" onClick={signOut}>
          退出登录
        </Button>
        {end.idle && (
          <Button variant="contained" loading={busy} onClick={goOn} autoFocus>
            继续工作
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
