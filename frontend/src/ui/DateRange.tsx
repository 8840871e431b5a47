import Box from "@mui/material/Box";
import dayjs from "dayjs";
import { DateField } from "./DateField";

/** The first millisecond of a day `YYYY-MM-DD` in the viewer's time zone; undefined for an invalid date. */
export const dayStart = (day: string): number | undefined => {
  const moment = dayjs(day || undefined);
  return day && moment.isValid() ? moment.startOf("day").valueOf() : undefined;
};

/** The first millisecond after a day. */
export const dayEnd = (day: string): number | undefined => {
  const start = dayStart(day);
  return start === undefined ? undefined : dayjs(start).add(1, "day").valueOf();
};

/** Two days, both included; an empty one means no limit. */
export function DateRange({
  from,
  to,
  onChange,
}: {
  from: string;
  to: string;
  onChange: (change: { from?: string; to?: string }) => void;
}) {
  return (
    <Box sx={{ display: "flex", gap: 1, alignItems: "center", width: { xs: "100%", sm: "auto" } }}>
      <DateField label="开始日期" value={from} max={to} onChange={(day) => onChange({ from: day })} />
      <Box component="span" aria-hidden="true" sx={{ color: "text.secondary" }}>
        至
      </Box>
      <DateField label="结束日期" value={to} min={from} onChange={(day) => onChange({ to: day })} />
    </Box>
  );
}
