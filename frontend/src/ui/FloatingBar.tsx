import Box from "@mui/material/Box";
import ButtonBase from "@mui/material/ButtonBase";
import { type ReactNode, useId, useRef, useState } from "react";

/** A column of 48 px cells that floats at the right edge of the window. */
export function FloatingBar({
  label,
  bareOnPhone = false,
  children,
}: {
  label: string;
  /** No cell is visible on a phone now, so the bar is hidden too. */
  bareOnPhone?: boolean;
  children: ReactNode;
}) {
  return (
    <Box
      component="aside"
      aria-label={label}
      sx={{
        display: { xs: bareOnPhone ? "none" : "block", md: "block" },
        position: "fixed",
        right: { xs: 12, md: 24 },
        // above a bar at the bottom of a phone's window
        bottom: { xs: "calc(24px + var(--bar, 0px))", md: 72 },
        zIndex: 1050,
        width: 48,
        borderRadius: 2,
        border: 1,
        borderColor: "divider",
        backgroundColor: "background.paper",
        boxShadow: "0 8px 24px rgba(16,24,40,.08)",
        "& > *:not(:last-child)": { borderBottom: 1, borderColor: "divider" },
      }}
    >
      {children}
    </Box>
  );
}

const CELL = {
  width: 46,
  height: 48,
  display: "flex",
  flexDirection: "column",
  gap: "2px",
  fontSize: 11,
  lineHeight: "14px",
  color: "text.secondary",
  transition: "color 120ms ease-out",
  "&:hover, &:focus-visible, &[aria-controls][aria-expanded=true]": { color: "primary.main" },
} as const;

/** One cell. With `panel` it opens a small card at its left, on hover, focus or a tap. */
export function FloatingCell({
  icon,
  text,
  label,
  href,
  onClick,
  panel,
  expanded,
}: {
  icon: ReactNode;
  text: string;
  label: string;
  href?: string;
  onClick?: () => void;
  panel?: ReactNode;
  expanded?: boolean;
}) {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const id = useId();
  const inside = (
    <>
      {icon}
      <span aria-hidden="true">{text}</span>
    </>
  );
  if (!panel) {
    const shared = { disableRipple: true, "aria-label": label, onClick, sx: CELL } as const;
    return (
      <Box>
        {href ? (
          <ButtonBase component="a" href={href} {...shared}>
            {inside}
          </ButtonBase>
        ) : (
          <ButtonBase aria-expanded={expanded} {...shared}>
            {inside}
          </ButtonBase>
        )}
      </Box>
    );
  }
  return (
    <Box
      ref={root}
      onPointerEnter={(event) => event.pointerType === "mouse" && setOpen(true)}
      onPointerLeave={(event) => event.pointerType === "mouse" && setOpen(false)}
      onBlur={(event) => {
        if (!root.current?.contains(event.relatedTarget as Node | null)) setOpen(false);
      }}
      onKeyDown={(event) => event.key === "Escape" && setOpen(false)}
      sx={{ position: "relative" }}
    >
      <ButtonBase
        disableRipple
        aria-label={label}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => {
          onClick?.();
          setOpen(true);
        }}
        sx={CELL}
      >
        {inside}
      </ButtonBase>
      {open && (
        <Box
          id={id}
          sx={{
            position: "absolute",
            right: "100%",
            top: "50%",
            transform: "translateY(-50%)",
            // The padding bridges the gap, so that the pointer can reach the card without closing it.
            pr: 1.5,
          }}
        >
          <Box
            sx={{
              p: 2,
              minWidth: 180,
              borderRadius: 2,
              border: 1,
              borderColor: "divider",
              backgroundColor: "background.paper",
              boxShadow: "0 8px 24px rgba(16,24,40,.08)",
              color: "text.primary",
              fontSize: 14,
            }}
          >
            {panel}
          </Box>
        </Box>
      )}
    </Box>
  );
}
