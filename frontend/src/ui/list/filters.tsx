import Button from "@mui/material/Button";
import InputAdornment from "@mui/material/InputAdornment";
import MenuItem from "@mui/material/MenuItem";
import Tab from "@mui/material/Tab";
import Tabs from "@mui/material/Tabs";
import TextField from "@mui/material/TextField";
import { type KeyboardEvent, type ReactNode, useEffect, useState } from "react";
import { DateRange } from "@/ui/DateRange";
import Search from "@/ui/icons/Search";
import type { ListState } from "./useListAddress";

interface Filter<Field extends string> {
  list: Pick<ListState<Field>, "values" | "set">;
  name: NoInfer<Field>;
  label: string;
}

const changeOf = <Field extends string>(name: Field, value: string) =>
  ({ [name]: value }) as Partial<Record<Field, string>>;

/** Submits the text on Enter and on blur, so that not every letter causes a request. */
export function SearchFilter<Field extends string>({
  list,
  name,
  label,
  maxLength = 50,
  numeric = false,
  button,
}: Filter<Field> & {
  maxLength?: number;
  numeric?: boolean;
  /** Text of a button that submits too. */
  button?: string;
}) {
  const value = list.values[name];
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const submit = () => {
    if (text.trim() !== value) list.set(changeOf(name, text.trim()));
  };
  const onKeyDown = ({ key, keyCode, nativeEvent }: KeyboardEvent) => {
    // Enter also ends the composition of an input method. Safari reports that one by its code only.
    if (key === "Enter" && !nativeEvent.isComposing && keyCode !== 229) submit();
  };
  return (
    <>
      <TextField
        size="small"
        placeholder={label}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={submit}
        onKeyDown={onKeyDown}
        sx={{ flex: { xs: "1 1 180px", sm: "none" }, width: { sm: 280 }, bgcolor: "background.paper" }}
        slotProps={{
          htmlInput: {
            "aria-label": label,
            maxLength,
            enterKeyHint: "search",
            inputMode: numeric ? "numeric" : undefined,
          },
          input: {
            startAdornment: (
              <InputAdornment position="start">
                <Search fontSize="small" />
              </InputAdornment>
            ),
          },
        }}
      />
      {button && (
        <Button variant="outlined" onClick={submit} sx={{ height: 40 }}>
          {button}
        </Button>
      )}
    </>
  );
}

/** Labels by value; in a plain list the value is the index. */
export type Choices =
  | Readonly<Record<string, string | { text: string }>>
  | readonly (string | { value: string; text: string })[];

const optionsOf = (choices: Choices): readonly (readonly [value: string, text: string])[] =>
  Object.entries(choices as Record<string, string | { value?: string; text: string }>).map(([key, one]) =>
    typeof one === "string" ? [key, one] : [one.value ?? key, one.text],
  );

/** A single choice. `all` is the label of no choice; without it the label is in the field's border. */
export function ChoiceFilter<Field extends string>({
  list,
  name,
  label,
  all,
  choices,
}: Filter<Field> & { all?: string; choices: Choices }) {
  const options = optionsOf(choices);
  const value = list.values[name];
  return (
    <TextField
      select
      size="small"
      label={all === undefined ? label : undefined}
      value={options.some(([known]) => known === value) ? value : ""}
      onChange={(event) => list.set(changeOf(name, event.target.value))}
      slotProps={{
        select: { displayEmpty: true, MenuProps: { slotProps: { paper: { sx: { maxHeight: 360 } } } } },
        inputLabel: { shrink: true },
        htmlInput: all === undefined ? undefined : { "aria-label": label },
      }}
      sx={{ flex: { xs: "1 1 140px", sm: "none" }, minWidth: { sm: 140 }, bgcolor: "background.paper" }}
    >
      <MenuItem value="">{all ?? "全部"}</MenuItem>
      {options.map(([known, text]) => (
        <MenuItem key={known} value={known}>
          {text}
        </MenuItem>
      ))}
    </TextField>
  );
}

/** Days in the fields `from` and `to`; dayStart and dayEnd convert them to the times of a request. */
export function DaysFilter({ list }: { list: Pick<ListState<"from" | "to">, "values" | "set"> }) {
  const { from, to } = list.values;
  return <DateRange from={from} to={to} onChange={list.set} />;
}

/** Alternative lists as tabs; the first one has no field in the address. */
export function ListTabs<Field extends string>({
  list,
  name,
  label,
  tabs,
}: Filter<Field> & { tabs: readonly { key: string; text: ReactNode }[] }) {
  const first = tabs[0]?.key;
  const chosen = tabs.find(({ key }) => key === list.values[name])?.key ?? first;
  return (
    <Tabs
      value={chosen}
      onChange={(_, key: string) => list.set(changeOf(name, key === first ? "" : key))}
      variant="scrollable"
      aria-label={label}
      sx={{ flex: 1, minWidth: 0, borderBottom: 1, borderColor: "divider" }}
    >
      {tabs.map(({ key, text }) => (
        <Tab key={key} value={key} label={text} />
      ))}
    </Tabs>
  );
}
