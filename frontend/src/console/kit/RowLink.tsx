import Box from "@mui/material/Box";
import type { ReactNode } from "react";
import { Link } from "react-router";

/** The cell of a row that links to the object's page. */
export function RowLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Box
      component={Link}
      to={to}
      sx={{ color: "primary.main", textDecoration: "none", "&:hover": { textDecoration: "underline" } }}
    >
      {children}
    </Box>
  );
}
