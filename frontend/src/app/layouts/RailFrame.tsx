import Box from "@mui/material/Box";
import ButtonBase from "@mui/material/ButtonBase";
import Drawer from "@mui/material/Drawer";
import { type ReactNode, useState } from "react";
import { NavLink, useLocation } from "react-router";
import { Header } from "@/features/header";
import MoreIcon from "@/ui/icons/MoreHorizOutlined";
import { SoonTag } from "@/ui/SoonTag";
import { isOpenPath } from "../paths";
import { Main } from "./Main";
import { RailIcon } from "./RailIcon";
import type { RailEntry, RailGroup } from "./railEntries";

const RAIL_WIDTH = 208;
/** Entries that fit in the bar at the foot of a phone, before "more". */
const BAR_ENTRIES = 4;

/** Returns true, after showing the reason, to block the entry's link. */
type Stop = (entry: RailEntry) => boolean;

function RailLinks({
  groups,
  dots,
  stop,
  onChoose,
}: {
  groups: readonly RailGroup[];
  dots: readonly string[];
  stop?: Stop;
  onChoose?: () => void;
}) {
  return (
    <>
      {groups.map((group, index) => (
        <Box key={group.title ?? group.entries[0]?.to ?? index} sx={{ mb: 2 }}>
          {group.title && (
            <Box sx={{ px: 1.5, mb: 0.5, fontSize: 12, lineHeight: "24px", color: "text.secondary" }}>
              {group.title}
            </Box>
          )}
          {group.entries.map((entry) => (
            <RailLink
              key={entry.to}
              entry={entry}
              dot={dots.includes(entry.to)}
              stop={stop}
              onChoose={onChoose}
            />
          ))}
        </Box>
      ))}
    </>
  );
}

function RailLink({
  entry,
  dot,
  stop,
  onChoose,
}: {
  entry: RailEntry;
  dot: boolean;
  stop?: Stop;
  onChoose?: () => void;
}) {
  return (
    <Box
      component={NavLink}
      to={entry.to}
      end={entry.end}
      onClick={(event) => {
        if (stop?.(entry)) event.preventDefault();
        onChoose?.();
      }}
      sx={{
        display: "flex",
        alignItems: "center",
        gap: 1.25,
        height: 40,
        px: 1.5,
        mb: "2px",
        borderRadius: "4px",
        color: "text.primary",
        textDecoration: "none",
        fontSize: 14,
        "& svg": { color: "text.secondary", flex: "none" },
        "&:hover": { backgroundColor: "action.hover" },
        "&.active": (theme) => ({
          backgroundColor: theme.tokens.primarySoft,
          color: "primary.dark",
          fontWeight: 500,
          "& svg": { color: "primary.main" },
        }),
      }}
    >
      <RailIcon name={entry.icon} />
      {entry.text}
      {dot && (
        <Box
          component="span"
          role="img"
          aria-label="有未读"
          sx={{ width: 8, height: 8, borderRadius: "50%", backgroundColor: "error.main" }}
        />
      )}
      <Box component="span" sx={{ ml: "auto", color: "text.secondary" }}>
        <SoonTag to={entry.to} />
      </Box>
    </Box>
  );
}

/** Header, a rail at the left and the page; on a phone the rail becomes a bar at the foot. */
export function RailFrame({
  groups,
  label,
  dots = [],
  stop,
  children,
}: {
  groups: readonly RailGroup[];
  label: string;
  /** Addresses of entries with unread content. */
  dots?: readonly string[];
  stop?: Stop;
  children: ReactNode;
}) {
  const [sheet, setSheet] = useState(false);
  const { pathname } = useLocation();
  const all = groups.flatMap((group) => group.entries);
  const bar = all.filter((entry) => isOpenPath(entry.to)).slice(0, BAR_ENTRIES);
  return (
    <Box sx={{ minHeight: "100vh", display: "flex", flexDirection: "column" }}>
      <Header wide />
      <Box sx={{ flex: 1, display: "flex", alignItems: "stretch", minWidth: 0 }}>
        <Box
          component="nav"
          aria-label={label}
          data-tour="rail"
          sx={{
            display: { xs: "none", md: "block" },
            width: RAIL_WIDTH,
            flex: "none",
            borderRight: 1,
            borderColor: "divider",
            backgroundColor: "background.paper",
          }}
        >
          <Box
            sx={{
              position: "sticky",
              top: 72,
              maxHeight: "calc(100vh - 72px)",
              overflowY: "auto",
              px: 1.5,
              py: 2.5,
            }}
          >
            <RailLinks groups={groups} dots={dots} stop={stop} />
          </Box>
        </Box>
        <Main sx={{ minWidth: 0, px: { xs: 2, md: 4 }, pt: { xs: 2.5, md: 4 }, pb: { xs: 11, md: 6 } }}>
          <Box sx={{ maxWidth: 1280, mx: "auto" }}>{children}</Box>
        </Main>
      </Box>
      <Box
        component="nav"
        aria-label={`${label}（底栏）`}
        data-tour="rail"
        sx={{
          display: { xs: "flex", md: "none" },
          position: "fixed",
          left: 0,
          right: 0,
          bottom: 0,
          zIndex: 1060,
          borderTop: 1,
          borderColor: "divider",
          backgroundColor: "background.paper",
          pb: "env(safe-area-inset-bottom)",
          "& > *": {
            flex: 1,
            height: 56,
            display: "flex",
            flexDirection: "column",
            alignItems: "center",
            justifyContent: "center",
            gap: "2px",
            fontSize: 11,
            lineHeight: "14px",
            color: "text.secondary",
            textDecoration: "none",
          },
          "& .active": { color: "primary.main" },
        }}
      >
        {bar.map((entry) => (
          <NavLink key={entry.to} to={entry.to} end={entry.end}>
            <RailIcon name={entry.icon} />
            {entry.text}
          </NavLink>
        ))}
        <ButtonBase disableRipple aria-expanded={sheet} onClick={() => setSheet(true)}>
          <MoreIcon sx={{ fontSize: 20 }} />
          更多
        </ButtonBase>
      </Box>
      <Drawer
        key={pathname}
        anchor="bottom"
        open={sheet}
        onClose={() => setSheet(false)}
        slotProps={{ paper: { sx: { borderRadius: "8px 8px 0 0", maxHeight: "80vh" }, "aria-label": label } }}
      >
        <Box sx={{ p: 2 }}>
          <RailLinks groups={groups} dots={dots} stop={stop} onChoose={() => setSheet(false)} />
        </Box>
      </Drawer>
    </Box>
  );
}
