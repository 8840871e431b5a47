import Box from "@mui/material/Box";
import { useEffect, useRef } from "react";
import { NavLink, useLocation } from "react-router";
import type { RailSection } from "./areas";
import { Strokes } from "./icons";

/** Links to all pages that this operator may open, by group; low enough that all of them fit a laptop's screen. */
export function Rail({ sections, onChoose }: { sections: readonly RailSection[]; onChoose?: () => void }) {
  const { pathname } = useLocation();
  const rail = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the address changes
  useEffect(() => {
    rail.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: "nearest" });
  }, [pathname]);
  return (
    <Box component="nav" ref={rail} aria-label="运营后台" sx={{ px: 1, pt: 1, pb: 0.5 }}>
      {sections.map(({ id, title, links }) => (
        <Box key={id} sx={{ mb: 0.75 }}>
          {title && (
            <Box sx={{ px: 1.25, fontSize: 12, lineHeight: "22px", color: "text.secondary" }}>{title}</Box>
          )}
          {links.map(({ to, title: text, icon }) => (
            <Box
              key={to}
              component={NavLink}
              to={to}
              end={to === "/"}
              onClick={onChoose}
              sx={{
                display: "flex",
                alignItems: "center",
                gap: 1.25,
                // a finger needs more than a pointer
                height: { xs: 40, md: 30 },
                px: 1.25,
                mb: "1px",
                borderRadius: "4px",
                color: "text.primary",
                textDecoration: "none",
                fontSize: 13,
                "& svg": { color: "text.secondary" },
                "&:hover": { backgroundColor: "action.hover" },
                "&.active": (theme) => ({
                  backgroundColor: theme.tokens.primarySoft,
                  color: "primary.dark",
                  fontWeight: 500,
                  "& svg": { color: "primary.main" },
                }),
              }}
            >
              <Strokes d={icon} />
              {text}
            </Box>
          ))}
        </Box>
      ))}
    </Box>
  );
}
