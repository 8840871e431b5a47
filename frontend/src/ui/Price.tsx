import Box from "@mui/material/Box";

/** Cents as yuan with two decimals and thousands separators: 1234567 → "12,345.67". */
export function formatCents(cents: number): string {
  if (!Number.isFinite(cents)) return "—";
  // Not by Intl: on a phone its first formatter takes as long as rendering the rest of a price table.
  return (cents / 100).toFixed(2).replace(/\B(?=(\d{3})+\.)/g, ",");
}

/** With `trim`, whole yuan have no decimals (price columns). */
export function Price({
  cents,
  size = 20,
  trim = false,
  unit,
}: {
  cents: number;
  size?: number;
  trim?: boolean;
  unit?: string;
}) {
  const text = formatCents(cents);
  const shown = trim && text.endsWith(".00") ? text.slice(0, -3) : text;
  return (
    <Box
      component="span"
      sx={{
        fontVariantNumeric: "tabular-nums",
        whiteSpace: "nowrap",
        lineHeight: 1.1,
      }}
    >
      <Box component="span" sx={{ fontSize: Math.max(12, size * 0.5), mr: 0.25 }}>
        ¥
      </Box>
      <Box component="span" sx={{ fontSize: size, fontWeight: 600 }}>
        {shown}
      </Box>
      {unit && (
        <Box component="span" sx={{ ml: 0.5, fontSize: 12, color: "text.secondary" }}>
          {unit}
        </Box>
      )}
    </Box>
  );
}
