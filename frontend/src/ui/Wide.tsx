import Box from "@mui/material/Box";
import type { ReactNode } from "react";
import { Link } from "react-router";

/** The page width of the mall and of the works. */
export function Wide({ children }: { children: ReactNode }) {
  return (
    <Box sx={{ maxWidth: 1280, mx: "auto", px: { xs: 2, md: 2.5 }, py: { xs: 2.5, md: 4 } }}>{children}</Box>
  );
}

/** Section of a page: its heading, and a link to more. */
export function Part({
  title,
  note,
  more,
  children,
}: {
  title: string;
  note?: string;
  more?: string;
  children: ReactNode;
}) {
  return (
    <Box component="section" aria-label={title} sx={{ mt: { xs: 4, md: 6 } }}>
      <Box sx={{ display: "flex", alignItems: "baseline", gap: 1.5, mb: 2 }}>
        <Box component="h2" sx={{ m: 0, fontSize: 20, lineHeight: "28px", fontWeight: 600 }}>
          {title}
        </Box>
        <Box sx={{ flex: 1, minWidth: 0, fontSize: 13, color: "text.secondary" }}>{note}</Box>
        {more && (
          <Box
            component={Link}
            to={more}
            aria-label={`查看全部${title}`}
            sx={{ flex: "none", fontSize: 14, color: "primary.main", textDecoration: "none" }}
          >
            查看全部
          </Box>
        )}
      </Box>
      {children}
    </Box>
  );
}
