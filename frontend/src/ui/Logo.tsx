import Box from "@mui/material/Box";
import { VISUALLY_HIDDEN } from "./visuallyHidden";

/**
 * The logo: an isometric cube whose three faces meet in a lens, the top face lifted.
 * Drawn on a 56×56 field so that it stays legible at 16 px, also in one colour.
 */
export const MARK_PATHS = {
  top: "M21.98 22.27L11.52 16.23L32 4.4L52.48 16.23L42.02 22.27A12.6 12.6 0 0 0 21.98 22.27Z",
  right: "M43.62 28.64L54.08 22.6L54.08 46.25L33.6 58.08L33.6 46A12.6 12.6 0 0 0 43.62 28.64Z",
  left: "M30.4 46L30.4 58.08L9.92 46.25L9.92 22.6L20.38 28.64A12.6 12.6 0 0 0 30.4 46Z",
} as const;

export type LogoTone = "brand" | "onDark" | "mono";

const TONES: Record<LogoTone, { top: string; right: string; left: string; lens: string }> = {
  brand: {
    top: "#5B8CFF",
    right: "#1F5EFF",
    left: "#1749D1",
    lens: "#0FA3A3",
  },
  onDark: {
    top: "#8FB0FF",
    right: "#5B8CFF",
    left: "#3E73F5",
    lens: "#35C9C3",
  },
  mono: {
    top: "currentColor",
    right: "currentColor",
    left: "currentColor",
    lens: "currentColor",
  },
};

export function LogoMark({ size = 32, tone = "brand" }: { size?: number; tone?: LogoTone }) {
  const colour = TONES[tone];
  return (
    <svg width={size} height={size} viewBox="4 3 56 56" aria-hidden="true" focusable="false">
      <path d={MARK_PATHS.top} fill={colour.top} />
      <path d={MARK_PATHS.right} fill={colour.right} />
      <path d={MARK_PATHS.left} fill={colour.left} />
      <circle cx="32" cy="33.5" r="7.4" fill={colour.lens} />
    </svg>
  );
}

/**
 * Logo and name. `tone="onDark"` for the hero, the footer and the viewer. With `home` screen readers announce it as the link
 * to the home page, by its visible name: a label would have to repeat every visible word.
 */
export function Logo({
  size = 32,
  tone = "brand",
  home,
}: {
  size?: number;
  tone?: LogoTone;
  home?: boolean;
}) {
  return (
    <Box
      component="span"
      sx={{
        display: "inline-flex",
        alignItems: "center",
        gap: 1.25,
        color: tone === "onDark" ? "#fff" : "text.primary",
        whiteSpace: "nowrap",
      }}
    >
      <LogoMark size={size} tone={tone} />
      <Box component="span" sx={{ lineHeight: 1 }}>
        <Box
          component="span"
          sx={{
            display: "block",
            fontSize: 20,
            fontWeight: 600,
            letterSpacing: "0.06em",
          }}
        >
          玄览云
        </Box>
        <Box
          component="span"
          aria-hidden="true"
          sx={{
            display: "block",
            mt: "5px",
            fontSize: 10,
            letterSpacing: "0.22em",
            opacity: 0.72,
          }}
        >
          Xuanlan
        </Box>
      </Box>
      {home && (
        <Box component="span" sx={VISUALLY_HIDDEN}>
          首页
        </Box>
      )}
    </Box>
  );
}
