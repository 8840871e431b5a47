import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import ButtonBase from "@mui/material/ButtonBase";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import OutlinedInput from "@mui/material/OutlinedInput";
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { messageOf } from "../api/envelope";
import { useShortcuts } from "./useShortcuts";

/** Shortest reason, in characters that are seen. */
export const LEAST_REASON = 2;
export const MOST_REASON = 500;

/** What takes the focus where a dialog asks for more than a reason: its first field. */
const FIELDS = ["input:not([type=hidden])", "textarea", "[role=combobox]"]
  .map((one) => `${one}:not(:disabled,[aria-hidden=true])`)
  .join();

/** From here on the number of characters is shown. */
const NEAR_MOST = 400;
const SHORT = "请写明原因，至少两个字。原因会记入操作日志。";

/** What is wrong with a reason, as the server counts its characters. */
function problemOf(text: string): string {
  if (visibleLength(text) < LEAST_REASON) return SHORT;
  const over = [...text].length - MOST_REASON;
  return over > 0 ? `原因最多 ${MOST_REASON} 个字，请删去 ${over} 个字` : "";
}

/** Number of characters without those that show nothing: spaces, controls, marks of direction. */
const visibleLength = (text: string): number => [...text.replace(/[\s\p{C}]/gu, "")].length;

export interface ReasonAsk {
  title: string;
  /** Consequences, shown before the reason is entered. */
  note?: ReactNode;
  confirmText: string;
  danger?: boolean;
  /** Its fields need more width than a reason. */
  wide?: boolean;
  /** Suggested sentences. */
  templates?: readonly string[];
  /** Further fields above the reason. */
  fields?: ReactNode;
  /** Whether the fields are filled in. */
  ready?: boolean;
  /** Called with the reason; an error is shown, and the dialog stays open. */
  onConfirm: (reason: string) => Promise<void>;
}

/** Asks for the reason of an action; the reason is logged. */
export function ReasonDialog({ ask, onClose }: { ask: ReasonAsk | undefined; onClose: () => void }) {
  return (
    <Dialog
      open={ask !== undefined}
      onClose={onClose}
      maxWidth={ask?.wide ? "md" : "sm"}
      fullWidth
      aria-labelledby="reason-title"
    >
      {ask && <ReasonForm ask={ask} onClose={onClose} />}
    </Dialog>
  );
}

function ReasonForm({ ask, onClose }: { ask: ReasonAsk; onClose: () => void }) {
  const id = useId();
  const [reason, setReason] = useState("");
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);

  /** What was wrong is told again until it is right; what the server said, until something else is typed. */
  function write(next: string) {
    const long = [...next.trim()].length > MOST_REASON;
    setReason(next);
    setProblem(problem === SHORT || long ? problemOf(next.trim()) : "");
  }

  async function confirm(event: FormEvent) {
    event.preventDefault();
    const text = reason.trim();
    const wrong = problemOf(text);
    if (wrong) {
      setProblem(wrong);
      document.getElementById(id)?.focus();
      return;
    }
    setBusy(true);
    setProblem("");
    try {
      await ask.onConfirm(text);
      onClose();
    } catch (error) {
      setProblem(messageOf(error) || "没有完成，请稍后重试");
    } finally {
      setBusy(false);
    }
  }

  const length = [...reason.trim()].length;
  const fields = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const first = fields.current?.querySelector<HTMLElement>(FIELDS);
    // one of them may have taken the focus itself
    if (!fields.current?.contains(document.activeElement)) first?.focus();
  }, []);

  return (
    <form onSubmit={confirm} noValidate>
      <DialogTitle id="reason-title">{ask.title}</DialogTitle>
      <DialogContent sx={{ display: "grid", gap: 2 }}>
        {ask.note && <Box sx={{ color: "text.secondary" }}>{ask.note}</Box>}
        <Box ref={fields} sx={{ display: "contents" }}>
          {ask.fields}
        </Box>
        <Box>
          <Box component="label" htmlFor={id} sx={{ display: "block", mb: 0.75, fontSize: 13 }}>
            原因（必填）
          </Box>
          {ask.templates && (
            <Box
              role="group"
              aria-label="常用原因"
              sx={{ display: "flex", flexWrap: "wrap", gap: 0.75, mb: 1 }}
            >
              {ask.templates.map((text) => (
                <ButtonBase
                  key={text}
                  onClick={() => write(text)}
                  sx={{
                    border: 1,
                    borderColor: "divider",
                    borderRadius: "4px",
                    px: 1,
                    py: 0.25,
                    fontSize: 12,
                    "&:hover": { borderColor: "primary.main" },
                  }}
                >
                  {text}
                </ButtonBase>
              ))}
            </Box>
          )}
          <OutlinedInput
            id={id}
            fullWidth
            multiline
            minRows={2}
            maxRows={6}
            autoFocus={!ask.fields}
            placeholder="长期保留在操作日志里，请勿写姓名和号码"
            value={reason}
            error={Boolean(problem)}
            onChange={(event) => write(event.target.value)}
            inputProps={{ "aria-describedby": `${id}-problem ${id}-count` }}
            sx={{ "& textarea": { height: "auto" }, p: "4px 0" }}
          />
          <Box sx={{ minHeight: 20, display: "flex", gap: 1, fontSize: 12 }}>
            <Box
              id={`${id}-problem`}
              role={problem ? "alert" : undefined}
              sx={{ flex: 1, minWidth: 0, color: "error.main" }}
            >
              {problem}
            </Box>
            <Box id={`${id}-count`} className="tabular" sx={{ color: "text.secondary" }}>
              {length > NEAR_MOST && `${length} / ${MOST_REASON}`}
            </Box>
          </Box>
        </Box>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose} disabled={busy} color="inherit">
          取消
        </Button>
        <Button
          type="submit"
          loading={busy}
          disabled={ask.ready === false}
          variant="contained"
          color={ask.danger ? "error" : "primary"}
        >
          {ask.confirmText}
        </Button>
      </DialogActions>
    </form>
  );
}

export interface Decision extends Omit<ReasonAsk, "confirmText" | "title"> {
  id: string;
  text: string;
  title?: string;
  /** Checked beforehand; a decision that the operator may not take is not offered. */
  allowed?: boolean;
  /** The usual decision. */
  main?: boolean;
  /** Key that opens it together with Alt: `R`. */
  shortcut?: string;
}

/** The possible decisions on an object; each asks for a reason. */
export function DecisionBar({
  decisions,
  label = "操作",
  onOpen,
}: {
  decisions: readonly Decision[];
  label?: string;
  /** Called when a dialog opens: the object may be another one by the time of the decision. */
  onOpen?: () => void;
}) {
  const [open, setOpen] = useState<string>();
  const offered = decisions.filter(({ allowed }) => allowed !== false);
  // Not only of those offered: a refusal, often because a colleague was quicker, reloads the object, and then its decision
  // may be offered no more, while the dialog still has to say why.
  const chosen = decisions.find(({ id }) => id === open);
  const ask = (id: string) => {
    onOpen?.();
    setOpen(id);
  };
  useShortcuts(
    Object.fromEntries(
      offered.flatMap(({ id, shortcut }) => (shortcut ? [[`Key${shortcut}`, () => ask(id)]] : [])),
    ),
  );
  return (
    <>
      {offered.length > 0 && (
        <Box role="group" aria-label={label} sx={{ display: "flex", gap: 1, flexWrap: "wrap" }}>
          {offered.map((one) => (
            <Button
              key={one.id}
              size="small"
              variant={one.main ? "contained" : "outlined"}
              color={one.danger ? "error" : "primary"}
              aria-keyshortcuts={one.shortcut && `Alt+${one.shortcut}`}
              title={one.shortcut && `Alt+${one.shortcut}`}
              onClick={() => ask(one.id)}
            >
              {one.text}
            </Button>
          ))}
        </Box>
      )}
      <ReasonDialog
        ask={chosen && { ...chosen, title: chosen.title ?? chosen.text, confirmText: chosen.text }}
        onClose={() => setOpen(undefined)}
      />
    </>
  );
}
