import Box from "@mui/material/Box";
import OutlinedInput from "@mui/material/OutlinedInput";
import dayjs from "dayjs";
import { useEffect, useState } from "react";
import { DateField } from "@/ui/DateField";
import { Below } from "./Below";

/** `9:05`, `09:05` or `0905` as minutes of a day; undefined if it is no time. */
export function readTime(text: string): number | undefined {
  const found = /^(\d{1,2})[:：](\d{2})$/.exec(text.trim()) ?? /^(\d{2})(\d{2})$/.exec(text.trim());
  if (!found) return undefined;
  const [hour, minute] = [Number(found[1]), Number(found[2])];
  return hour < 24 && minute < 60 ? hour * 60 + minute : undefined;
}

/** A day and a time in the operator's time zone; empty is 0. */
export function MomentInput({
  label,
  value,
  empty,
  problem,
  onChange,
}: {
  label: string;
  /** Milliseconds since 1970; 0: none. */
  value: number;
  /** The meaning of an empty value. */
  empty: string;
  problem?: string;
  onChange: (value: number) => void;
}) {
  const day = value > 0 ? dayjs(value).format("YYYY-MM-DD") : "";
  const time = value > 0 ? dayjs(value).format("HH:mm") : "";
  const [text, setText] = useState(time);
  useEffect(() => setText(time), [time]);
  const minutes = readTime(text);
  const take = (newDay: string, newMinutes: number) =>
    onChange(newDay ? dayjs(newDay).startOf("day").add(newMinutes, "minute").valueOf() : 0);
  return (
    <Box role="group" aria-label={label}>
      <Box aria-hidden="true" sx={{ mb: 0.75, fontSize: 13 }}>
        {label}
        <Box component="span" sx={{ ml: 1, color: "text.secondary" }}>
          {value > 0 ? "" : empty}
        </Box>
      </Box>
      <Box sx={{ display: "flex", gap: 1 }}>
        <DateField
          label={`${label}日期`}
          value={day}
          error={Boolean(problem)}
          onChange={(chosen) => take(chosen, minutes ?? 0)}
        />
        <OutlinedInput
          size="small"
          value={text}
          disabled={!day}
          placeholder="时:分"
          error={Boolean(problem) || (text !== "" && minutes === undefined)}
          onChange={(event) => setText(event.target.value)}
          onBlur={() => (minutes === undefined ? setText(time) : take(day, minutes))}
          inputProps={{ "aria-label": `${label}时刻`, maxLength: 5 }}
          // no darker than the date beside it, without which it waits
          sx={{ width: 88, "&.Mui-disabled .MuiOutlinedInput-notchedOutline": { borderColor: "divider" } }}
        />
      </Box>
      <Below problem={problem} />
    </Box>
  );
}
