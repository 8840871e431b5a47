import Box from "@mui/material/Box";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { withSeenTurns } from "@/lib/direction";

/** The cell of a row that links to the object's page; its text is often a user's. */
export function RowLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Box
      component={Link}
      to={to}
      className="text"
      sx={{
        color: "primary.main",
        textDecoration: "none",
        unicodeBidi: "isolate",
        overflowWrap: "anywhere",
        "&:hover": { textDecoration: "underline" },
      }}
    >
      {typeof children === "string" ? withSeenTurns(children) : children}
    </Box>
  );
}
