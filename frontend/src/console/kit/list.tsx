import Autocomplete from "@mui/material/Autocomplete";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import MenuItem from "@mui/material/MenuItem";
import OutlinedInput from "@mui/material/OutlinedInput";
import Select from "@mui/material/Select";
import TextField from "@mui/material/TextField";
import { type FormEvent, type ReactNode, useEffect, useId, useState } from "react";
import type { CsvCell } from "@/lib/csv";
import { type Column, DataTable } from "@/ui/DataTable";
import { DateRange } from "@/ui/DateRange";
import { CELLS } from "./cells";
import { ExportButton } from "./export";
import { Failed, Nothing, RowsLoading } from "./states";
import { Views } from "./views";

export interface FilterChoice {
  value: string;
  text: string;
  /** Heading above it and its neighbours, where choices are searched. */
  group?: string;
}

export type Filter =
  | { kind: "text"; name: string; label: string; placeholder?: string }
  | {
      kind: "choice";
      name: string;
      label: string;
      choices: readonly FilterChoice[];
      /** So many choices that one searches them by text or value. */
      searched?: true;
      /** The choice that holds unless the address names another; without it all rows are shown. */
      usual?: string;
      /** What an empty list says where this choice alone holds: that nothing waits is no fault of the filter. */
      none?: Readonly<Record<string, string>>;
    }
  /** Two days in the address: `from` and `to`. */
  | { kind: "days" };

export interface ListColumn<Row> extends Column<Row> {
  /** The cell in an export; without it the column is only on the page. */
  csv?: (row: Row) => CsvCell;
}

/** A page of a list, with cursor pagination, so that the last page is as quick as the first. */
export interface Rows<Row> {
  rows: readonly Row[];
  /** Cursor of the next page; empty: there is none. */
  next: string;
}

/** The value that a filter has when nothing is chosen. */
export const usualOf = (filters: readonly Filter[], name: string): string =>
  filters.flatMap((one) => (one.kind === "choice" && one.name === name ? [one.usual ?? ""] : []))[0] ?? "";

/** What is chosen beside the usual. */
const chosenOf = ({ filters, state }: { filters: readonly Filter[]; state: ListState }) =>
  Object.entries(state.values).filter(([name, value]) => value && value !== usualOf(filters, name));

/** State of a list, kept in the address (useList). */
export interface ListState {
  values: Readonly<Record<string, string>>;
  /** Cursor of the current page; empty: the first one. */
  after: string;
  /** Changes filters and returns to the first page, unless the change names another. */
  set: (change: Record<string, string | undefined>) => void;
  /** One page back; undefined on the first page, and where the address was opened directly. */
  back?: () => void;
}

interface ListProps<Row> {
  /** Key of its saved views and its exports. */
  id: string;
  /** Name of the rows, as the start of a sentence about them. */
  what: string;
  filters: readonly Filter[];
  state: ListState;
  columns: readonly ListColumn<Row>[];
  rowKey: (row: Row) => string | number;
  result: Rows<Row> | undefined;
  error?: unknown;
  loading: boolean;
  onRetry: () => void;
  /** Loads any page with the same filters, for the export; without it there is no export. */
  fetchPage?: (after: string) => Promise<Rows<Row>>;
  /** Shown if the list is empty. */
  empty?: ReactNode;
  actions?: ReactNode;
}

/** A dense list that the server pages: filters in the address, saved views, export, and its four states. */
export function List<Row>(props: ListProps<Row>) {
  const { id, what, filters, state, columns, result, error, loading } = props;
  const short = filters.filter(({ kind }) => kind === "text").length > 1;
  const narrowed = chosenOf(props).length > 0;
  return (
    <Box sx={{ display: "grid", gridTemplateColumns: "minmax(0, 1fr)", gap: 1.5 }}>
      {filters.length > 0 && <Views listId={id} />}
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1, alignItems: "center" }}>
        {filters.map((filter) => (
          <FilterField
            key={filter.kind === "days" ? "days" : filter.name}
            filter={filter}
            state={state}
            short={short}
          />
        ))}
        {narrowed && (
          <Button
            size="small"
            color="inherit"
            onClick={() =>
              state.set(Object.fromEntries(Object.keys(state.values).map((name) => [name, undefined])))
            }
          >
            清除筛选
          </Button>
        )}
        <Box sx={{ ml: { sm: "auto" }, display: "flex", gap: 1, flexWrap: "wrap" }}>
          {props.fetchPage && (
            <ExportButton
              name={id}
              columns={columns}
              empty={!result?.rows.length}
              fetchPage={props.fetchPage}
            />
          )}
          {props.actions}
        </Box>
      </Box>
      <Box
        aria-busy={loading}
        sx={{
          border: 1,
          borderColor: "divider",
          borderRadius: 2,
          overflow: "hidden",
          backgroundColor: "background.paper",
          opacity: loading && result ? 0.6 : 1,
          transition: "opacity 120ms ease-out 200ms",
          ...CELLS,
        }}
      >
        <Body {...props} what={what} error={loading ? undefined : error} />
      </Box>
      {result && (state.after || result.next) && (
        <Box component="nav" aria-label="分页" sx={{ display: "flex", gap: 1, justifyContent: "flex-end" }}>
          {state.after && (
            <Button size="small" color="inherit" onClick={() => state.set({})}>
              第一页
            </Button>
          )}
          <Button size="small" variant="outlined" color="inherit" disabled={!state.back} onClick={state.back}>
            上一页
          </Button>
          <Button
            size="small"
            variant="outlined"
            color="inherit"
            disabled={!result.next}
            onClick={() => state.set({ after: result.next })}
          >
            下一页
          </Button>
        </Box>
      )}
    </Box>
  );
}

function Body<Row>(props: ListProps<Row>) {
  const { what, columns, rowKey, result, error, onRetry, state } = props;
  const firstPage = (
    <Button size="small" variant="outlined" onClick={() => state.set({})}>
      回到第一页
    </Button>
  );
  // The address may name a page that there is not.
  if (error)
    return (
      <Failed error={error} what={what} onRetry={onRetry} action={state.after ? firstPage : undefined} />
    );
  if (!result) return <RowsLoading />;
  if (result.rows.length === 0 && state.after)
    return <Nothing title="这一页已经没有内容" action={firstPage} />;
  if (result.rows.length === 0) return <Empty {...props} />;
  return <DataTable caption={what} columns={columns} rows={result.rows} rowKey={rowKey} />;
}

function Empty<Row>({ what, filters, state, empty }: ListProps<Row>) {
  const chosen = chosenOf({ filters, state });
  if (chosen.length === 0) return empty ?? <Nothing title={`还没有${what}`} />;
  const [[name, value] = ["", ""]] = chosen;
  const none = filters.flatMap((one) =>
    one.kind === "choice" && one.name === name ? [one.none?.[value]] : [],
  )[0];
  if (chosen.length === 1 && none) return <Nothing title={none} />;
  return <Nothing title={`没有符合条件的${what}`} hint="放宽或清除筛选条件再试。" />;
}

function FilterField({ filter, state, short }: { filter: Filter; state: ListState; short: boolean }) {
  if (filter.kind === "days")
    return (
      <DateRange
        from={state.values.from ?? ""}
        to={state.values.to ?? ""}
        onChange={(change) => state.set(change)}
      />
    );
  const value = state.values[filter.name] ?? "";
  if (filter.kind === "text") return <TextFilter filter={filter} value={value} state={state} short={short} />;
  if (filter.searched) return <SearchedFilter filter={filter} value={value} state={state} />;
  return (
    <Select
      size="small"
      value={filter.choices.some((one) => one.value === value) ? value : ""}
      displayEmpty
      onChange={(event) => state.set({ [filter.name]: event.target.value || undefined })}
      inputProps={{ "aria-label": filter.label }}
      sx={{ minWidth: 128, width: { xs: "calc(50% - 4px)", sm: "auto" }, fontSize: 13 }}
      renderValue={(chosen) =>
        filter.choices.find((one) => one.value === chosen)?.text ?? `${filter.label}：全部`
      }
    >
      {!filter.usual && <MenuItem value="">全部</MenuItem>}
      {filter.choices.map((one) => (
        <MenuItem key={one.value} value={one.value}>
          {one.text}
        </MenuItem>
      ))}
    </Select>
  );
}

/** Filters by what is chosen; a value of the address that is none of the choices is shown as it is. */
function SearchedFilter({
  filter,
  value,
  state,
}: {
  filter: Extract<Filter, { kind: "choice" }>;
  value: string;
  state: ListState;
}) {
  const known = filter.choices.find((one) => one.value === value);
  const chosen = known ?? (value ? { value, text: value } : null);
  return (
    <Autocomplete
      size="small"
      options={chosen && !known ? [...filter.choices, chosen] : filter.choices}
      value={chosen}
      groupBy={filter.choices.some(({ group }) => group) ? ({ group = "" }) => group : undefined}
      getOptionKey={(one) => one.value}
      getOptionLabel={(one) => one.text}
      filterOptions={(choices, { inputValue }) => {
        const wanted = inputValue.trim().toLowerCase();
        return choices.filter((one) =>
          [one.text, one.value].some((text) => text.toLowerCase().includes(wanted)),
        );
      }}
      isOptionEqualToValue={(one, other) => one.value === other.value}
      noOptionsText={`没有这个${filter.label}`}
      clearText="清除"
      openText="展开"
      closeText="收起"
      onChange={(_event, one) => state.set({ [filter.name]: one?.value })}
      renderInput={({ slotProps, ...params }) => (
        <TextField
          {...params}
          placeholder={filter.label}
          slotProps={{ ...slotProps, htmlInput: { ...slotProps.htmlInput, "aria-label": filter.label } }}
        />
      )}
      sx={{ width: { xs: "calc(50% - 4px)", sm: 200 }, "& input": { fontSize: 13 } }}
    />
  );
}

/** Applied on Enter or blur, so that not every letter causes a request. */
function TextFilter({
  filter,
  value,
  state,
  short,
}: {
  /** One of several: two fit in a row on a phone. */
  short: boolean;
  filter: Extract<Filter, { kind: "text" }>;
  value: string;
  state: ListState;
}) {
  const id = useId();
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const take = () => {
    if (text.trim() !== value) state.set({ [filter.name]: text.trim() || undefined });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    take();
  };
  return (
    <Box
      component="form"
      role="search"
      aria-label={filter.label}
      onSubmit={submit}
      sx={{ width: { xs: short ? "calc(50% - 4px)" : "100%", sm: "auto" } }}
    >
      <OutlinedInput
        id={id}
        size="small"
        type="search"
        value={text}
        placeholder={filter.placeholder ?? filter.label}
        onChange={(event) => setText(event.target.value)}
        onBlur={take}
        inputProps={{ "aria-label": filter.label, maxLength: 100 }}
        sx={{ width: { xs: "100%", sm: short ? 172 : 280 }, fontSize: 13 }}
      />
    </Box>
  );
}
