import Box from "@mui/material/Box";
import { alpha, type Theme } from "@mui/material/styles";

export type StatusTone = "neutral" | "info" | "running" | "success" | "warning" | "danger";

function toneColour(theme: Theme, tone: StatusTone): string {
  switch (tone) {
    case "info":
    case "running":
      return theme.palette.primary.main;
    case "success":
      return theme.palette.success.main;
    case "warning":
      return theme.palette.warning.main;
    case "danger":
      return theme.palette.error.main;
    default:
      return theme.palette.text.secondary;
  }
}

/** A state as text with a coloured dot; colour never carries the meaning alone. */
export function StatusTag({ tone = "neutral", children }: { tone?: StatusTone; children: string }) {
  return (
    <Box
      component="span"
      sx={(theme) => ({
        display: "inline-flex",
        alignItems: "center",
        gap: 0.75,
        height: 24,
        px: 1,
        borderRadius: "4px",
        fontSize: 12,
        whiteSpace: "nowrap",
        color: theme.palette.text.primary,
        backgroundColor: alpha(toneColour(theme, tone), 0.1),
        "&::before": {
          content: '""',
          width: 6,
          height: 6,
          borderRadius: "50%",
          backgroundColor: toneColour(theme, tone),
          ...(tone === "running" && {
            animation: "xl-pulse 1.2s ease-in-out infinite",
          }),
        },
        "@keyframes xl-pulse": { "50%": { opacity: 0.25 } },
        "@media (prefers-reduced-motion: reduce)": {
          "&::before": { animation: "none" },
        },
      })}
    >
      {children}
    </Box>
  );
}
