import Box from "@mui/material/Box";
import type { ReactNode } from "react";

const FRAME = { border: 1, borderColor: "divider", borderRadius: 2, bgcolor: "background.paper" } as const;

/** The border around a table. */
export function RowFrame({ children }: { children: ReactNode }) {
  return <Box sx={{ ...FRAME, overflow: "hidden" }}>{children}</Box>;
}

/** A list with a border, for rows that are no table; its children are `li`. */
export function RowList({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <Box component="ul" aria-label={label} sx={{ ...FRAME, listStyle: "none", m: 0, p: 0 }}>
      {children}
    </Box>
  );
}
