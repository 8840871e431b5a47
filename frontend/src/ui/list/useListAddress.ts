import { useState } from "react";
import { dayEnd, dayStart } from "@/ui/DateRange";
import { useQueryFields } from "@/ui/useQueryFields";

/** Services refuse a larger page number. */
const LAST_PAGE = 10_000;

type Day = "from" | "to";

/** Fields of a request for a page of rows; the days of `DaysFilter` are times, Unix milliseconds. */
type ListRequest<Field extends string> = Readonly<Record<Exclude<Field, Day>, string>> & {
  readonly pageNo: number;
  readonly pageSize: number;
} & ("from" extends Field ? { readonly beginTime?: number; readonly endTime?: number } : unknown);

/** Filters and page of a list, with setters. */
export interface ListState<Field extends string = string> {
  /** Empty if a field is absent. */
  values: Readonly<Record<Field, string>>;
  /** A whole number from 1. */
  page: number;
  pageSize: number;
  /** Whether a filter is set; tabs do not count. */
  filtered: boolean;
  /** Changes fields and returns to the first page; an empty value removes its field. */
  set: (change: Partial<Record<Field, string>>) => void;
  setPage: (page: number) => void;
  /** Removes the filters and keeps the tab. */
  clear: () => void;
}

/** The list of a page. */
export interface OwnList<Field extends string> extends ListState<Field> {
  /** The page and the filters, for a call whose fields have the same names. */
  request: ListRequest<Field>;
}

interface ListOptions<Field extends string, Tab extends string> {
  fields?: readonly Field[];
  /** A field that selects a list: not a filter, so clear() keeps it. */
  tab?: Tab;
  /** Allowed values of a field; any other one in the address counts as absent. */
  known?: Partial<Record<Field | Tab, object>>;
  pageSize?: number;
}

/** Filters and page in the address, so that a link and a reload show the same rows. Changes replace the history entry. */
export function useListAddress<const Field extends string = never, const Tab extends string = never>(
  options: ListOptions<Field, Tab> = {},
): OwnList<Field | Tab> {
  const [query, setQuery] = useQueryFields();
  return stateOf(options, (name) => query.get(name) ?? "", setQuery);
}

/**
 * The same in the component's state, for a list in a dialog, a panel or beside another list: the address has only one
 * `page`, which belongs to the page's main list.
 */
export function useListState<const Field extends string = never, const Tab extends string = never>(
  options: ListOptions<Field, Tab> = {},
): OwnList<Field | Tab> {
  const [own, setOwn] = useState<Fields>({});
  return stateOf(
    options,
    (name) => own[name] ?? "",
    (change) => setOwn((old) => ({ ...old, ...change })),
  );
}

type Fields = Readonly<Record<string, string | undefined>>;

function stateOf<Field extends string, Tab extends string>(
  { fields = [], tab, known = {}, pageSize = 20 }: ListOptions<Field, Tab>,
  read: (name: string) => string,
  write: (change: Fields) => void,
): OwnList<Field | Tab> {
  type Name = Field | Tab;
  const knownValue = (name: Name) => {
    const choices: object | undefined = known[name];
    return choices && !Object.hasOwn(choices, read(name)) ? "" : read(name);
  };
  const names: readonly Name[] = tab === undefined ? fields : [...fields, tab];
  const values = Object.fromEntries(names.map((name) => [name, knownValue(name)])) as Record<Name, string>;
  const page = Math.min(Math.max(1, Math.trunc(Number(read("page"))) || 1), LAST_PAGE);
  return {
    values,
    page,
    pageSize,
    request: requestOf(values, page, pageSize) as ListRequest<Name>,
    filtered: fields.some((name) => knownValue(name) !== ""),
    set: (change) => write({ ...change, page: undefined }),
    setPage: (next) => write({ page: next > 1 ? String(next) : undefined }),
    clear: () => write(Object.fromEntries([...fields, "page"].map((name) => [name, undefined]))),
  };
}

function requestOf({ from, to, ...values }: Fields, pageNo: number, pageSize: number): object {
  const request = { ...values, pageNo, pageSize };
  return from === undefined ? request : { ...request, beginTime: dayStart(from), endTime: dayEnd(to ?? "") };
}
