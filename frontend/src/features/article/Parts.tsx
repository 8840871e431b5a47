import Box from "@mui/material/Box";
import Skeleton from "@mui/material/Skeleton";
import type { Theme } from "@mui/material/styles";
import type { SystemStyleObject } from "@mui/system";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { VISUALLY_HIDDEN } from "@/ui/visuallyHidden";

/** Page column for reading. */
export function Column({ children, sx }: { children: ReactNode; sx?: SystemStyleObject<Theme> }) {
  return (
    <Box sx={{ maxWidth: 1240, mx: "auto", px: { xs: 2, md: 2.5 }, py: { xs: 3, md: 6 }, ...sx }}>
      {children}
    </Box>
  );
}

/** Heading and lead of a list page. */
export function Lead({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <>
      <Box component="h1" sx={{ m: 0, fontSize: { xs: 28, md: 36 }, lineHeight: 1.3, fontWeight: 600 }}>
        {title}
      </Box>
      {children && (
        <Box
          component="p"
          sx={{ m: 0, mt: 1, maxWidth: 720, fontSize: 16, lineHeight: "26px", color: "text.secondary" }}
        >
          {children}
        </Box>
      )}
    </>
  );
}

export interface Crumb {
  title: string;
  to: string;
}

/** Breadcrumbs. */
export function Crumbs({ way }: { way: readonly Crumb[] }) {
  return (
    <Box
      component="nav"
      aria-label="所在位置"
      sx={{
        display: "flex",
        flexWrap: "wrap",
        columnGap: 1,
        minHeight: 24,
        fontSize: 13,
        lineHeight: "24px",
        color: "text.secondary",
      }}
    >
      {way.map(({ title, to }, at) => (
        <Box key={to} component="span">
          {at > 0 && <span aria-hidden>{"/ "}</span>}
          <Box
            component={Link}
            to={to}
            sx={{ color: "inherit", textDecoration: "none", "&:hover": { color: "primary.main" } }}
          >
            {title}
          </Box>
        </Box>
      ))}
    </Box>
  );
}

/** Placeholder of a loading article, in its size. */
export function ArticleWaiting() {
  return (
    <Box role="status" aria-label="正在读取文章" sx={{ minHeight: "100vh" }}>
      <Box component="h1" sx={VISUALLY_HIDDEN}>
        正在读取文章
      </Box>
      <Skeleton variant="text" sx={{ width: 180 }} />
      <Skeleton variant="text" sx={{ fontSize: 40, width: "70%" }} />
      <Skeleton variant="text" sx={{ width: "90%" }} />
      <Skeleton variant="rounded" sx={{ mt: 3, width: "100%", height: { xs: 220, md: 400 } }} />
      {["a", "b", "c", "d", "e", "f"].map((key) => (
        <Skeleton key={key} variant="text" sx={{ mt: 1.5, width: key === "f" ? "50%" : "100%" }} />
      ))}
    </Box>
  );
}

/** A section of a list page. */
export function Part({ title, note, children }: { title: string; note?: string; children: ReactNode }) {
  return (
    <Box component="section" aria-label={title} sx={{ mt: { xs: 5, md: 7 } }}>
      <Box component="h2" sx={{ m: 0, fontSize: 22, lineHeight: "32px", fontWeight: 600 }}>
        {title}
      </Box>
      {note && (
        <Box component="p" sx={{ m: 0, mt: 0.5, color: "text.secondary" }}>
          {note}
        </Box>
      )}
      <Box sx={{ mt: 3 }}>{children}</Box>
    </Box>
  );
}
