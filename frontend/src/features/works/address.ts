/** The gallery's filters as stored in the address. */
import type { WorksWorkListRequest } from "@/calls/works";
import { CLASSIFY, KINDS, ORDERS } from "./words";

export const PAGE_SIZE = 24;
/** The server returns no page beyond the first 10,000 works. */
export const LAST_PAGE = Math.floor(10_000 / PAGE_SIZE);
const MOST_WORD = 50;

export const FIELDS = ["kind", "category", "industry", "label", "author", "keyword"] as const;

const field = (query: URLSearchParams, name: string, most = 64): string =>
  (query.get(name) ?? "").trim().slice(0, most);

export function orderOf(query: URLSearchParams): string {
  return ORDERS.find((order) => order.id === query.get("order"))?.id ?? "new";
}

export function pageOf(query: URLSearchParams): number {
  const page = Number(query.get("page"));
  return Number.isSafeInteger(page) && page > 0 ? Math.min(page, LAST_PAGE) : 1;
}

/** The list request for an address; empty fields are left out. */
export function requestOf(query: URLSearchParams): WorksWorkListRequest {
  const request: WorksWorkListRequest = {
    categoryId: field(query, "category"),
    industryId: field(query, "industry"),
    types: KINDS.find(({ id }) => id === query.get("kind"))?.types ?? "",
    label: field(query, "label"),
    authorId: field(query, "author"),
    keyword: field(query, "keyword", MOST_WORD),
    order: orderOf(query),
    pageNo: pageOf(query),
    pageSize: PAGE_SIZE,
  };
  return Object.fromEntries(Object.entries(request).filter(([, value]) => value !== ""));
}

/** The address with changed fields and the page reset; empty values remove fields. */
export function changed(query: URLSearchParams, change: Readonly<Record<string, string>>): string {
  const next = new URLSearchParams(query);
  next.delete("page");
  for (const [name, value] of Object.entries(change)) {
    if (value) next.set(name, value);
    else next.delete(name);
  }
  const text = next.toString();
  return text ? `${CLASSIFY}?${text}` : CLASSIFY;
}
