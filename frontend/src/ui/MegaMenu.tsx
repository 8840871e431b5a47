import Box from "@mui/material/Box";
import ButtonBase from "@mui/material/ButtonBase";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";

const OPEN_DELAY = 100;
const CLOSE_DELAY = 220;

const linksOf = (panel: HTMLElement | null): HTMLElement[] =>
  Array.from(panel?.querySelectorAll<HTMLElement>("a[href], button") ?? []);

/**
 * A menu that opens under its button. With a mouse it opens and closes after a short delay, so
 * that crossing it does nothing; a click keeps it open until a click outside, even when the page moves
 * under the pointer. With a keyboard Enter, Space or ↓ open it, ↑ ↓ Home End move, Escape closes it and
 * returns the focus to the button.
 *
 * `wide` lets the panel span the whole header (its positioned ancestor); otherwise it hangs under the
 * button, aligned to `align`, and on a phone under the header, where it fits wherever the button is.
 */
export function MegaMenu({
  label,
  children,
  wide = false,
  align = "left",
  width = 320,
  buttonLabel,
  onOpenChange,
}: {
  label: ReactNode;
  children: (close: () => void) => ReactNode;
  wide?: boolean;
  align?: "left" | "right";
  width?: number;
  buttonLabel?: string;
  onOpenChange?: (open: boolean) => void;
}) {
  const [open, setOpen] = useState(false);
  /** Opened by a click or key, not by hovering. */
  const kept = useRef(false);
  /** Opened by ↓: the focus goes to the first link, once it is rendered. */
  const enters = useRef(false);
  const timer = useRef<number>(undefined);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const id = useId();
  const hangs = {
    [align]: { xs: 8, sm: 0 },
    width: { xs: "calc(100% - 16px)", sm: width },
    maxWidth: width,
  };

  useEffect(() => () => window.clearTimeout(timer.current), []);
  useEffect(() => onOpenChange?.(open), [open, onOpenChange]);
  useEffect(() => {
    if (open && enters.current) linksOf(panel.current)[0]?.focus();
    enters.current = false;
  }, [open]);
  useEffect(() => {
    if (!open) return;
    const beside = (event: PointerEvent) => {
      if (root.current?.contains(event.target as Node)) return;
      kept.current = false;
      setOpen(false);
    };
    document.addEventListener("pointerdown", beside);
    return () => document.removeEventListener("pointerdown", beside);
  }, [open]);

  function later(next: boolean) {
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => setOpen(next), next ? OPEN_DELAY : CLOSE_DELAY);
  }
  function now(next: boolean) {
    window.clearTimeout(timer.current);
    kept.current = next;
    setOpen(next);
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "Escape" && open) {
      event.stopPropagation();
      now(false);
      button.current?.focus();
      return;
    }
    if (event.key === "ArrowDown" && document.activeElement === button.current) {
      event.preventDefault();
      enters.current = true;
      now(true);
      linksOf(panel.current)[0]?.focus();
      return;
    }
    if (!open || document.activeElement === button.current) return;
    const all = linksOf(panel.current);
    const at = all.indexOf(document.activeElement as HTMLElement);
    if (at < 0) return;
    let next = -1;
    if (event.key === "ArrowDown") next = (at + 1) % all.length;
    if (event.key === "ArrowUp") next = (at - 1 + all.length) % all.length;
    if (event.key === "Home") next = 0;
    if (event.key === "End") next = all.length - 1;
    if (next < 0) return;
    event.preventDefault();
    all[next]?.focus();
  }

  return (
    <Box
      ref={root}
      onPointerEnter={(event) => event.pointerType === "mouse" && later(true)}
      onPointerLeave={(event) => event.pointerType === "mouse" && !kept.current && later(false)}
      onKeyDown={onKeyDown}
      onBlur={(event) => {
        // Without a target the focus was lost to a click, which the pointer listener handles.
        if (event.relatedTarget === null || root.current?.contains(event.relatedTarget)) return;
        kept.current = false;
        later(false);
      }}
      onFocus={() => window.clearTimeout(timer.current)}
      sx={{ position: wide ? "static" : { xs: "static", sm: "relative" }, height: "100%" }}
    >
      <ButtonBase
        ref={button}
        disableRipple
        aria-expanded={open}
        aria-controls={id}
        aria-haspopup="true"
        aria-label={buttonLabel}
        // A click does not close a menu that was opened by hovering on the way to it.
        onClick={() => now(!(open && kept.current))}
        sx={{
          height: "100%",
          px: 1.5,
          font: "inherit",
          color: "inherit",
          gap: 0.5,
          whiteSpace: "nowrap",
          "@media (max-width: 1319px)": { px: 1 },
        }}
      >
        {label}
      </ButtonBase>
      <Box
        id={id}
        ref={panel}
        hidden={!open}
        sx={{
          position: "absolute",
          top: "100%",
          zIndex: 20,
          ...(wide ? { left: 0, right: 0 } : hangs),
          color: "text.primary",
          backgroundColor: "background.paper",
          border: wide ? 0 : 1,
          borderTop: 1,
          borderColor: "divider",
          borderRadius: wide ? 0 : "0 0 8px 8px",
          boxShadow: "0 8px 24px rgba(16,24,40,.08)",
          animation: "xl-drop 140ms ease-out",
          "@keyframes xl-drop": { from: { opacity: 0, transform: "translateY(-4px)" } },
        }}
      >
        {open && children(() => now(false))}
      </Box>
    </Box>
  );
}
