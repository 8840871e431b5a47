import Box from "@mui/material/Box";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { LogoMark } from "@/ui/Logo";

/** The 48 px bar of the dark stages: logo, title, exit. */
export function StageBar({
  title,
  exit,
  children,
}: {
  title: string;
  exit: { text: string; to: string };
  children?: ReactNode;
}) {
  return (
    <Box
      component="header"
      sx={{
        height: 48,
        flex: "none",
        px: 2,
        display: "flex",
        alignItems: "center",
        gap: 1.5,
        borderBottom: 1,
        borderColor: "divider",
        backgroundColor: "background.paper",
        color: "text.primary",
      }}
    >
      <Link to="/" aria-label="玄览云首页" style={{ display: "flex" }}>
        <LogoMark size={24} tone="onDark" />
      </Link>
      <Box component="span" sx={{ fontWeight: 500 }}>
        {title}
      </Box>
      <Box sx={{ flex: 1 }}>{children}</Box>
      <Box
        component={Link}
        to={exit.to}
        sx={{
          color: "text.secondary",
          textDecoration: "none",
          fontSize: 14,
          "&:hover": { color: "text.primary" },
        }}
      >
        {exit.text}
      </Box>
    </Box>
  );
}
