import Box from "@mui/material/Box";
import type { ReactNode } from "react";
import { Logo } from "@/ui/Logo";

/** The page of an operator who is not signed in: the logo and one card. */
export function EntryPage({
  title,
  note,
  children,
}: {
  title: string;
  note?: ReactNode;
  children: ReactNode;
}) {
  return (
    <Box
      component="main"
      id="main"
      sx={{
        minHeight: "100vh",
        display: "grid",
        placeContent: { xs: "start center", sm: "center" },
        gridTemplateColumns: "minmax(0, 400px)",
        px: 2,
        py: { xs: 5, sm: 4 },
        backgroundColor: "background.default",
      }}
    >
      <Box sx={{ mb: 3, display: "flex", alignItems: "center", gap: 1.5 }}>
        <Logo size={30} />
        <Box
          component="span"
          sx={{ pl: 1.5, borderLeft: 1, borderColor: "divider", color: "text.secondary" }}
        >
          运营后台
        </Box>
      </Box>
      <Box
        sx={{
          p: { xs: 2.5, sm: 4 },
          border: 1,
          borderColor: "divider",
          borderRadius: 2,
          backgroundColor: "background.paper",
        }}
      >
        <Box component="h1" sx={{ m: 0, fontSize: 20, lineHeight: "28px", fontWeight: 600 }}>
          {title}
        </Box>
        {note && <Box sx={{ mt: 0.5, fontSize: 13, color: "text.secondary" }}>{note}</Box>}
        <Box sx={{ mt: 3 }}>{children}</Box>
      </Box>
      <Box sx={{ mt: 2, fontSize: 12, color: "text.secondary" }}>
        仅限获授权的人员使用。所有操作都会记入日志。
      </Box>
    </Box>
  );
}
