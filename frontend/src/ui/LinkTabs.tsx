import Box from "@mui/material/Box";
import { useEffect, useRef } from "react";
import { Link } from "react-router";

export interface LinkTab {
  id: string;
  text: string;
  to: string;
  /** Shown behind the label if positive. */
  count?: number;
}

/** Sibling pages as a row of tabs; on a narrow screen it scrolls to the current one. */
export function LinkTabs({
  label,
  tabs,
  current,
}: {
  label: string;
  tabs: readonly LinkTab[];
  current: string;
}) {
  const nav = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls on every change of the tab
  useEffect(() => {
    const row = nav.current;
    const open = row?.querySelector<HTMLElement>("[aria-current]");
    if (row && open) row.scrollLeft = open.offsetLeft - (row.clientWidth - open.offsetWidth) / 2;
  }, [current]);
  return (
    <Box
      component="nav"
      ref={nav}
      aria-label={label}
      sx={{
        position: "relative",
        display: "flex",
        gap: 3,
        overflowX: "auto",
        whiteSpace: "nowrap",
        boxShadow: (theme) => `inset 0 -1px ${theme.palette.divider}`,
        scrollbarWidth: "none",
        "&::-webkit-scrollbar": { display: "none" },
      }}
    >
      {tabs.map(({ id, text, to, count = 0 }) => {
        const here = id === current;
        return (
          <Box
            key={id}
            component={Link}
            to={to}
            aria-current={here ? "page" : undefined}
            sx={{
              flex: "none",
              display: "flex",
              alignItems: "center",
              gap: 0.75,
              minHeight: 44,
              fontSize: 14,
              fontWeight: here ? 600 : 400,
              color: here ? "primary.main" : "text.secondary",
              textDecoration: "none",
              borderBottom: 2,
              borderColor: here ? "primary.main" : "transparent",
              outlineOffset: "-2px !important",
              "&:hover": { color: "primary.main" },
            }}
          >
            {text}
            {count > 0 && (
              <Box
                component="span"
                className="tabular"
                sx={(theme) => ({
                  px: 0.75,
                  minWidth: 18,
                  borderRadius: 9,
                  fontSize: 12,
                  lineHeight: "18px",
                  fontWeight: 400,
                  textAlign: "center",
                  color: theme.palette.primary.dark,
                  backgroundColor: theme.tokens.primarySoft,
                })}
              >
                {count > 99 ? "99+" : count}
              </Box>
            )}
          </Box>
        );
      })}
    </Box>
  );
}
