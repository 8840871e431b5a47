import Box from "@mui/material/Box";
import TextField from "@mui/material/TextField";
import dayjs from "dayjs";

/** The first millisecond of a day `YYYY-MM-DD`, by the viewer's clock; undefined for no day. */
export const dayStart = (day: string): number | undefined => {
  const moment = dayjs(day || undefined);
  return day && moment.isValid() ? moment.startOf("day").valueOf() : undefined;
};

/** The first millisecond after a day. */
export const dayEnd = (day: string): number | undefined => {
  const start = dayStart(day);
  return start === undefined ? undefined : dayjs(start).add(1, "day").valueOf();
};

/** Two days, both included; an empty one leaves its side open. */
export function DateRange({
  from,
  to,
  onChange,
}: {
  from: string;
  to: string;
  onChange: (change: { from?: string; to?: string }) => void;
}) {
  const field = { type: "date", size: "small" as const, sx: { flex: { xs: 1, sm: "none" }, minWidth: 132 } };
  return (
    <Box sx={{ display: "flex", gap: 1, alignItems: "center", width: { xs: "100%", sm: "auto" } }}>
      <TextField
        {...field}
        value={from}
        onChange={(event) => onChange({ from: event.target.value })}
        slotProps={{ htmlInput: { "aria-label": "开始日期", max: to || undefined } }}
      />
      <Box component="span" aria-hidden="true" sx={{ color: "text.secondary" }}>
        至
      </Box>
      <TextField
        {...field}
        value={to}
        onChange={(event) => onChange({ to: event.target.value })}
        slotProps={{ htmlInput: { "aria-label": "结束日期", min: from || undefined } }}
      />
    </Box>
  );
}
