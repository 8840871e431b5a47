import Box from "@mui/material/Box";

/** The console's icons as strokes on a 24 px field. */
export function Strokes({ d, size = 18 }: { d: string; size?: number }) {
  return (
    <Box
      component="svg"
      viewBox="0 0 24 24"
      aria-hidden="true"
      focusable="false"
      sx={{
        width: size,
        height: size,
        flex: "none",
        fill: "none",
        stroke: "currentColor",
        strokeWidth: 1.6,
        strokeLinecap: "round",
        strokeLinejoin: "round",
      }}
    >
      <path d={d} />
    </Box>
  );
}

export const MENU = "M4 7h16M4 12h16M4 17h16";
export const SEARCH = "M11 5a6 6 0 1 0 0 12 6 6 0 0 0 0-12zM20 20l-4.5-4.5";
