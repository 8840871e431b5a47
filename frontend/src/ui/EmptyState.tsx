import Box from "@mui/material/Box";
import type { ReactNode } from "react";

export type EmptyKind = "models" | "results" | "search" | "error" | "closed";

/** Line drawings of the five situations; strokes have the text colour. */
function Drawing({ kind }: { kind: EmptyKind }) {
  const cube = (
    <>
      <path d="M80 26l38 22v44L80 114 42 92V48z" />
      <path d="M42 48l38 22 38-22M80 70v44" />
    </>
  );
  return (
    <svg
      width="160"
      height="136"
      viewBox="0 0 160 136"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinejoin="round"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <ellipse cx="80" cy="122" rx="54" ry="6" fill="currentColor" stroke="none" opacity=".08" />
      {kind === "models" && (
        <>
          <g strokeDasharray="4 5">{cube}</g>
          <path d="M80 84V54M68 65l12-12 12 12" strokeWidth="2.4" />
        </>
      )}
      {kind === "results" && (
        <>
          <g opacity=".45" transform="translate(-26 6) scale(.86)">
            {cube}
          </g>
          <g transform="translate(66 40) scale(.5)">{cube}</g>
          <path d="M104 30h22M118 22l9 8-9 8" strokeWidth="2" />
        </>
      )}
      {kind === "search" && (
        <>
          <g opacity=".45" strokeDasharray="4 5">
            {cube}
          </g>
          <circle cx="92" cy="64" r="24" strokeWidth="2.4" fill="currentColor" fillOpacity=".05" />
          <path d="M109 82l18 19" strokeWidth="4" />
        </>
      )}
      {kind === "error" && (
        <>
          <path d="M76 28l-34 20v44l34 20V90l-8-12 10-10-8-14z" />
          <path d="M90 33l28 16v44l-28 16V88l8-10-10-10 9-13z" opacity=".5" />
          <path d="M42 48l28 16M118 49L95 63" />
        </>
      )}
      {kind === "closed" && (
        <>
          {cube}
          <circle cx="80" cy="70" r="18" fill="currentColor" fillOpacity=".06" strokeWidth="2.4" />
          <path d="M80 60v11l8 5" strokeWidth="2.4" />
        </>
      )}
    </svg>
  );
}

/**
 * The empty state of a list: a drawing, one fact, one next step. If it fills the whole page,
 * its title is the page's heading (`heading="h1"`).
 */
export function EmptyState({
  kind = "models",
  title,
  hint,
  action,
  dense = false,
  heading = "p",
}: {
  kind?: EmptyKind;
  title: string;
  hint?: ReactNode;
  action?: ReactNode;
  dense?: boolean;
  heading?: "p" | "h1" | "h2";
}) {
  return (
    <Box
      role="status"
      sx={{
        display: "flex",
        flexDirection: "column",
        alignItems: "center",
        textAlign: "center",
        py: dense ? 3 : 7,
        px: 2,
        color: "text.disabled",
      }}
    >
      <Drawing kind={kind} />
      <Box
        component={heading}
        sx={{
          m: 0,
          mt: 2,
          maxWidth: "100%",
          lineHeight: "24px",
          fontSize: 16,
          fontWeight: 500,
          color: "text.primary",
          overflowWrap: "anywhere",
        }}
      >
        {title}
      </Box>
      {hint && <Box sx={{ mt: 1, maxWidth: 440, fontSize: 14, color: "text.secondary" }}>{hint}</Box>}
      {action && <Box sx={{ mt: 3, display: "flex", gap: 1.5, color: "text.primary" }}>{action}</Box>}
    </Box>
  );
}
