import Box from "@mui/material/Box";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { withSeenTurns } from "@/lib/direction";

const LOOKS = {
  color: "primary.main",
  textDecoration: "none",
  unicodeBidi: "isolate",
  overflowWrap: "anywhere",
  "&:hover": { textDecoration: "underline" },
} as const;

/** A button that looks and wraps like the link: a button's own look centres its lines. */
const AS_LINK = {
  ...LOOKS,
  p: 0,
  border: 0,
  borderRadius: "4px",
  font: "inherit",
  textAlign: "left",
  background: "none",
  cursor: "pointer",
} as const;

type RowLinkProps = { children: ReactNode } & (
  | { to: string }
  /** `label` says of which row, and begins with the text. */
  | { onClick: () => void; label: string }
);

/** The cell of a row that links to the object's page, or opens the object; its text is often a user's. */
export function RowLink({ children, ...way }: RowLinkProps) {
  const text = typeof children === "string" ? withSeenTurns(children) : children;
  if ("to" in way)
    return (
      <Box component={Link} to={way.to} className="text" sx={LOOKS}>
        {text}
      </Box>
    );
  return (
    <Box
      component="button"
      type="button"
      aria-label={way.label}
      onClick={way.onClick}
      className="text"
      sx={AS_LINK}
    >
      {text}
    </Box>
  );
}
