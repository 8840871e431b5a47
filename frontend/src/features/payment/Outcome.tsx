import Box from "@mui/material/Box";
import type { ReactNode } from "react";

const LOOK = {
  success: { colour: "success.main", path: "M18 33l9 9 20-22" },
  over: { colour: "text.secondary", path: "M32 18v16l9 6" },
  failed: { colour: "error.main", path: "M32 18v18M32 45v1" },
} as const;

/** Result of a payment: icon, text, and next actions. */
export function Outcome({
  kind,
  title,
  children,
  actions,
}: {
  kind: keyof typeof LOOK;
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
}) {
  const { colour, path } = LOOK[kind];
  return (
    <Box sx={{ py: 4, textAlign: "center" }}>
      <Box component="span" sx={{ color: colour, display: "inline-block", lineHeight: 0 }}>
        <svg width="64" height="64" viewBox="0 0 64 64" fill="none" stroke="currentColor" aria-hidden="true">
          <circle cx="32" cy="32" r="29" strokeWidth="2" opacity=".35" />
          <path d={path} strokeWidth="4" strokeLinecap="round" strokeLinejoin="round" />
        </svg>
      </Box>
      <Box role="status" sx={{ mt: 2, fontSize: 16, lineHeight: "24px", fontWeight: 600 }}>
        {title}
      </Box>
      {children && <Box sx={{ mt: 1, color: "text.secondary" }}>{children}</Box>}
      {actions && (
        <Box sx={{ mt: 3, display: "flex", justifyContent: "center", flexWrap: "wrap", gap: 1.5 }}>
          {actions}
        </Box>
      )}
    </Box>
  );
}
