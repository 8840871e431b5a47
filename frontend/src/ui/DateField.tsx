import IconButton from "@mui/material/IconButton";
import InputAdornment from "@mui/material/InputAdornment";
import TextField from "@mui/material/TextField";
import { useEffect, useRef, useState } from "react";
import CalendarIcon from "@/ui/icons/CalendarTodayOutlined";
import { VISUALLY_HIDDEN } from "@/ui/visuallyHidden";

/** `2026-1-5`, `2026/01/05`, `2026.1.5` or `20260105` as `2026-01-05`; undefined for an invalid date. */
export function readDay(text: string): string | undefined {
  const found =
    /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?$/.exec(text.trim()) ??
    /^(\d{4})(\d\d)(\d\d)$/.exec(text.trim());
  if (!found) return undefined;
  const [year, month, day] = found.slice(1).map(Number) as [number, number, number];
  const date = new Date(year, month - 1, day);
  if (date.getMonth() !== month - 1 || date.getDate() !== day) return undefined;
  return `${found[1]}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}

/**
 * A date as written in Chinese. The browser's own field uses the order and labels of the browser's language,
 * `mm/dd/yyyy` in an English one; here only its calendar is used.
 */
export function DateField({
  value,
  label,
  min,
  max,
  error = false,
  onChange,
}: {
  /** `YYYY-MM-DD`, or empty */
  value: string;
  label: string;
  min?: string;
  max?: string;
  /** Wrong for another reason than its own. */
  error?: boolean;
  onChange: (day: string) => void;
}) {
  const [text, setText] = useState(value);
  const calendar = useRef<HTMLInputElement>(null);
  useEffect(() => setText(value), [value]);

  const day = readDay(text);
  const wrong = text.trim() !== "" && (!day || (min && day < min) || (max && day > max));
  const take = () => {
    if (text.trim() === "") onChange("");
    else if (day && !wrong) onChange(day);
  };
  return (
    <TextField
      size="small"
      value={text}
      placeholder="年-月-日"
      error={error || Boolean(wrong)}
      onChange={(event) => setText(event.target.value)}
      onBlur={take}
      onKeyDown={(event) => event.key === "Enter" && !event.nativeEvent.isComposing && take()}
      sx={{ flex: { xs: 1, sm: "none" }, width: { sm: 148 }, minWidth: 0 }}
      slotProps={{
        htmlInput: { "aria-label": label, inputMode: "numeric", maxLength: 11 },
        input: {
          sx: { pr: 0.5 },
          endAdornment: (
            <InputAdornment position="end">
              <IconButton
                size="small"
                aria-label={`${label}：打开日历`}
                onClick={() => calendar.current?.showPicker?.()}
              >
                <CalendarIcon sx={{ fontSize: 16 }} />
              </IconButton>
              <input
                ref={calendar}
                type="date"
                tabIndex={-1}
                aria-hidden="true"
                value={value}
                min={min}
                max={max}
                onChange={(event) => onChange(event.target.value)}
                style={VISUALLY_HIDDEN}
              />
            </InputAdornment>
          ),
        },
      }}
    />
  );
}
