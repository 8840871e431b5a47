import Box from "@mui/material/Box";
import type { ReactNode } from "react";
import { Link } from "react-router";

/** A card of the workbench with a title row; `more` links to the full page. */
export function Panel({
  title,
  more,
  tour,
  children,
}: {
  title: string;
  more?: { text: string; to: string };
  tour?: string;
  children: ReactNode;
}) {
  return (
    <Box
      component="section"
      aria-label={title}
      data-tour={tour}
      sx={{
        border: 1,
        borderColor: "divider",
        borderRadius: 2,
        backgroundColor: "background.paper",
        minWidth: 0,
        overflow: "hidden",
      }}
    >
      <Box
        sx={{ px: 2.5, height: 56, display: "flex", alignItems: "center", justifyContent: "space-between" }}
      >
        <Box component="h2" sx={{ m: 0, fontSize: 16, lineHeight: "24px", fontWeight: 600 }}>
          {title}
        </Box>
        {more && (
          <Box
            component={Link}
            to={more.to}
            sx={{ fontSize: 14, color: "primary.main", textDecoration: "none" }}
          >
            {more.text}
          </Box>
        )}
      </Box>
      {children}
    </Box>
  );
}
