import Box from "@mui/material/Box";
import type { ReactNode } from "react";

/** One setting: title, current value, note and action. On a phone the action is below the text. */
export function SettingRow({
  title,
  value,
  note,
  action,
}: {
  title: string;
  value: ReactNode;
  note?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <Box
      sx={{
        display: "flex",
        flexWrap: { xs: "wrap", sm: "nowrap" },
        alignItems: "center",
        columnGap: 3,
        rowGap: 1,
        px: 2.5,
        py: 1.75,
        minHeight: 68,
        borderTop: 1,
        borderColor: "divider",
      }}
    >
      <Box sx={{ flex: "none", width: { xs: "100%", sm: 96 }, color: "text.secondary" }}>{title}</Box>
      <Box sx={{ flex: 1, minWidth: 0, overflowWrap: "anywhere" }}>
        <Box>{value}</Box>
        {note && (
          <Box sx={{ mt: 0.25, fontSize: 12, lineHeight: "18px", color: "text.secondary" }}>{note}</Box>
        )}
      </Box>
      {action && <Box sx={{ flex: "none", display: "flex", gap: 1 }}>{action}</Box>}
    </Box>
  );
}
