import Box from "@mui/material/Box";
import { type ReactNode, useId } from "react";
import { Link } from "react-router";
import { withSeenTurns } from "@/lib/direction";
import { CELLS } from "./cells";
import { useObjectTitle } from "./title";

/** A text, which may be a user's, with its marks of direction seen; other content as it is. */
const seen = (content: ReactNode): ReactNode =>
  typeof content === "string" ? withSeenTurns(content) : content;

/** The heading of a console page: its parent, its title, its actions. */
export function PageTitle({
  title,
  name = typeof title === "string" ? title : undefined,
  state,
  back,
  note,
  actions,
}: {
  title: ReactNode;
  /** What the browser's tab shows of one object, if the title does not name it. */
  name?: string;
  /** The object's state, beside the title. */
  state?: ReactNode;
  back?: { to: string; text: string };
  note?: ReactNode;
  actions?: ReactNode;
}) {
  useObjectTitle(back && name ? withSeenTurns(name) : undefined);
  return (
    <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "flex-end", gap: 1.5, mb: 2 }}>
      <Box sx={{ minWidth: 0, flex: { xs: "1 1 100%", sm: "1" } }}>
        {back && (
          <Box
            component={Link}
            to={back.to}
            sx={{
              fontSize: 12,
              color: "text.secondary",
              textDecoration: "none",
              "&:hover": { color: "primary.main" },
            }}
          >
            {`‹ ${back.text}`}
          </Box>
        )}
        <Box
          component="h1"
          sx={{
            m: 0,
            fontSize: 20,
            lineHeight: "28px",
            fontWeight: 600,
            overflowWrap: "anywhere",
            ...(state && { display: "flex", flexWrap: "wrap", alignItems: "center", columnGap: 1.5 }),
          }}
        >
          {state ? (
            <Box component="span" sx={{ minWidth: 0, unicodeBidi: "isolate" }}>
              {seen(title)}
            </Box>
          ) : (
            seen(title)
          )}
          {state}
        </Box>
        {note && <Box sx={{ fontSize: 13, color: "text.secondary" }}>{note}</Box>}
      </Box>
      {actions}
    </Box>
  );
}

/** A card with a second-level heading. */
export function Card({
  title,
  aside,
  children,
  flush = false,
}: {
  title: string;
  aside?: ReactNode;
  children: ReactNode;
  /** The content, a table, extends to the edges. */
  flush?: boolean;
}) {
  return (
    <Box
      component="section"
      aria-label={title}
      sx={{
        border: 1,
        borderColor: "divider",
        borderRadius: 2,
        backgroundColor: "background.paper",
        minWidth: 0,
        // clips the corners of a table, and what is sticky in it still follows the window
        overflow: "clip",
      }}
    >
      <Box
        sx={{
          px: 2,
          // room above and below what wraps; one line has it by the least height
          py: 0.75,
          minHeight: 44,
          display: "flex",
          flexWrap: "wrap",
          alignItems: "center",
          columnGap: 1,
          rowGap: 0.25,
        }}
      >
        <Box
          component="h2"
          sx={{ m: 0, flex: 1, fontSize: 14, lineHeight: "22px", fontWeight: 600, whiteSpace: "nowrap" }}
        >
          {seen(title)}
        </Box>
        {aside}
      </Box>
      <Box
        sx={{
          ...(flush ? { borderTop: 1, borderColor: "divider" } : { px: 2, pb: 2 }),
          ...(flush
            ? { ...CELLS, "& table th, & table td": { px: 2, py: 0.75, lineHeight: "22px" } }
            : { "& table": CELLS["& table"] }),
        }}
      >
        {children}
      </Box>
    </Box>
  );
}

/** Facts about an object, name and value. */
export function Facts({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <Box
      component="dl"
      sx={{
        m: 0,
        display: "grid",
        gridTemplateColumns: { xs: "96px minmax(0, 1fr)", lg: "repeat(2, 96px minmax(0, 1fr))" },
        rowGap: 0.75,
        columnGap: 2,
        fontSize: 13,
        lineHeight: "22px",
        "& dt": { color: "text.secondary" },
        "& dd": {
          m: 0,
          overflowWrap: "anywhere",
          unicodeBidi: "isolate",
          fontVariantNumeric: "tabular-nums",
        },
      }}
    >
      {facts.map(([name, value]) => (
        <Box key={name} sx={{ display: "contents" }}>
          <dt>{name}</dt>
          <dd>{seen(value)}</dd>
        </Box>
      ))}
    </Box>
  );
}

export interface TimelineEntry {
  id: string;
  time: string;
  title: ReactNode;
  detail?: ReactNode;
}

/** Events of an object, the latest first. */
export function Timeline({ entries }: { entries: readonly TimelineEntry[] }) {
  return (
    <Box component="ol" sx={{ m: 0, p: 0, listStyle: "none" }}>
      {entries.map(({ id, time, title, detail }, index) => (
        <Box
          key={id}
          component="li"
          sx={{
            position: "relative",
            pl: 2.5,
            pb: index < entries.length - 1 ? 2 : 0,
            fontSize: 13,
            "&::before": {
              content: '""',
              position: "absolute",
              left: 3,
              top: 8,
              width: 7,
              height: 7,
              borderRadius: "50%",
              backgroundColor: index === 0 ? "primary.main" : "text.disabled",
            },
            ...(index < entries.length - 1 && {
              "&::after": {
                content: '""',
                position: "absolute",
                left: "6px",
                top: 20,
                bottom: -4,
                width: "1px",
                backgroundColor: "divider",
              },
            }),
          }}
        >
          <Box sx={{ display: "flex", gap: 1, flexWrap: "wrap", justifyContent: "space-between" }}>
            <Box sx={{ fontWeight: 500, overflowWrap: "anywhere" }}>{seen(title)}</Box>
            <Box component="time" sx={{ color: "text.secondary", fontVariantNumeric: "tabular-nums" }}>
              {time}
            </Box>
          </Box>
          {detail && <Box sx={{ color: "text.secondary", overflowWrap: "anywhere" }}>{seen(detail)}</Box>}
        </Box>
      ))}
    </Box>
  );
}

/** A figure with its name. */
export function Figure({
  name,
  value,
  note,
  to,
}: {
  name: string;
  value: ReactNode;
  note?: ReactNode;
  to?: string;
}) {
  const id = useId();
  return (
    <Box sx={{ minWidth: 0 }}>
      <Box id={`${id}-name`} sx={{ fontSize: 12, color: "text.secondary" }}>
        {name}
      </Box>
      <Box sx={{ fontSize: 24, lineHeight: "32px", fontWeight: 600, fontVariantNumeric: "tabular-nums" }}>
        {to ? (
          <Box
            component={Link}
            to={to}
            id={id}
            // the figure alone does not say where it leads
            aria-labelledby={`${id}-name ${id}`}
            sx={{ color: "text.primary", textDecoration: "none", "&:hover": { color: "primary.main" } }}
          >
            {value}
          </Box>
        ) : (
          value
        )}
      </Box>
      {note && <Box sx={{ fontSize: 12, color: "text.secondary" }}>{note}</Box>}
    </Box>
  );
}
