import Box from "@mui/material/Box";
import { NavLink } from "react-router";
import type { RailSection } from "./areas";
import { Strokes } from "./icons";

/** Links to all pages that this operator may open, by group. */
export function Rail({ sections, onChoose }: { sections: readonly RailSection[]; onChoose?: () => void }) {
  return (
    <Box component="nav" aria-label="运营后台" sx={{ px: 1, py: 1.5 }}>
      {sections.map(({ id, title, links }) => (
        <Box key={id} sx={{ mb: 1.5 }}>
          {title && (
            <Box sx={{ px: 1.25, fontSize: 12, lineHeight: "24px", color: "text.secondary" }}>{title}</Box>
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
                height: 34,
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
