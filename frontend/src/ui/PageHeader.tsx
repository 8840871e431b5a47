import Box from "@mui/material/Box";
import type { ReactNode } from "react";

/** Title row of a workbench page: title, one line about it, its main actions. */
export function PageHeader({
  title,
  note,
  actions,
}: {
  title: ReactNode;
  note?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <Box
      sx={{
        display: "flex",
        flexWrap: "wrap",
        alignItems: "flex-end",
        justifyContent: "space-between",
        gap: 2,
        mb: 3,
      }}
    >
      <Box sx={{ minWidth: 0 }}>
        <Box component="h1" sx={{ m: 0, fontSize: 24, lineHeight: "32px", fontWeight: 600 }}>
          {title}
        </Box>
        {note && <Box sx={{ mt: 0.5, fontSize: 14, color: "text.secondary" }}>{note}</Box>}
      </Box>
      {actions && <Box sx={{ display: "flex", gap: 1.5 }}>{actions}</Box>}
    </Box>
  );
}
