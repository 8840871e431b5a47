/** The search as stored in the address: every filter is a query field named like its facet. */
import type { TransactionModelListRequest } from "@/calls/transaction";
import { LICENSES, ORIGINS } from "@/messages/licenses";

export const PAGE_SIZE = 24;
/** The server returns no page beyond the first 10,000 results. */
export const LAST_PAGE = Math.floor(10_000 / PAGE_SIZE);
/** Limits of the call for one field. */
const MOST_KEYS = 20;
const MOST_WORD = 100;
const HIGHEST_SCORE = 100;

/** Facets with multiple choice; in others a choice replaces the former one. */
const SEVERAL: ReadonlySet<string> = new Set(["label", "format", "origin"]);

/** In display order. */
export const FACETS = [
  "category",
  "price",
  "format",
  "license",
  "triangles",
  "animation",
  "score",
  "origin",
  "label",
  "seller",
] as const;
export type FacetName = (typeof FACETS)[number];

export const SORTS = [
  { id: "comprehensive", text: "综合" },
  { id: "newest", text: "最新上架" },
  { id: "sales", text: "销量" },
  { id: "rating", text: "评分" },
  { id: "priceAsc", text: "价格从低到高" },
  { id: "priceDesc", text: "价格从高到低" },
] as const;

export function isFacet(name: string): name is FacetName {
  return (FACETS as readonly string[]).includes(name);
}

const oneOf = (values: readonly string[]) => (key: string) => values.includes(key);

/** Facets whose values are fixed: the server refuses a search by others. */
const KNOWN: Partial<Record<FacetName, (key: string) => boolean>> = {
  license: oneOf(LICENSES.map(({ value }) => value)),
  origin: oneOf(ORIGINS.map(({ value }) => value)),
  animation: oneOf(["true", "false"]),
  price: (key) => band(key) !== undefined,
  triangles: (key) => band(key) !== undefined,
  score: (key) => (band(key)?.[0] ?? HIGHEST_SCORE + 1) <= HIGHEST_SCORE,
};

/** The chosen values of a facet; in an address of another day or by another hand, unknown ones are dropped. */
export function chosen(query: URLSearchParams, facet: FacetName): string[] {
  const keys = (query.get(facet) ?? "").split(",").filter((key) => key && (KNOWN[facet]?.(key) ?? true));
  return [...new Set(keys)].slice(0, SEVERAL.has(facet) ? MOST_KEYS : 1);
}

export function isNarrowed(query: URLSearchParams): boolean {
  return FACETS.some((facet) => chosen(query, facet).length > 0);
}

export function sortOf(query: URLSearchParams): string {
  const asked = query.get("sort");
  return SORTS.find((sort) => sort.id === asked)?.id ?? "comprehensive";
}

export function pageOf(query: URLSearchParams): number {
  const page = Number(query.get("page"));
  return Number.isSafeInteger(page) && page > 0 ? Math.min(page, LAST_PAGE) : 1;
}

/** Number of available pages. */
export function pagesOf(total: number): number {
  return Math.min(Math.ceil(total / PAGE_SIZE), LAST_PAGE);
}

/** The query with one field changed and the page reset; an empty value removes the field. */
function changed(query: URLSearchParams, field: string, value: string): URLSearchParams {
  const next = new URLSearchParams(query);
  next.delete("page");
  if (value) next.set(field, value);
  else next.delete(field);
  return next;
}

export function toggled(query: URLSearchParams, facet: FacetName, key: string): URLSearchParams {
  const now = chosen(query, facet);
  const without = now.filter((other) => other !== key);
  const added = SEVERAL.has(facet) ? [...now, key] : [key];
  return changed(query, facet, (without.length < now.length ? without : added).join(","));
}

/** The query with a value chosen, as it is if it has it already. */
export function withChosen(query: URLSearchParams, facet: FacetName, key: string): URLSearchParams {
  return chosen(query, facet).includes(key) ? withPage(query, 1) : toggled(query, facet, key);
}

export function withSort(query: URLSearchParams, sort: string): URLSearchParams {
  return changed(query, "sort", sort === "comprehensive" ? "" : sort);
}

export function withPage(query: URLSearchParams, page: number): URLSearchParams {
  const next = changed(query, "page", "");
  if (page > 1) next.set("page", String(page));
  return next;
}

/** Removes all filters and the page, keeps the order. */
export function cleared(query: URLSearchParams): URLSearchParams {
  const next = changed(query, "page", "");
  for (const facet of FACETS) next.delete(facet);
  return next;
}

export function searchPath(keyword: string, query?: URLSearchParams | string): string {
  const word = keyword.trim().slice(0, MOST_WORD);
  const rest = query?.toString();
  return `/transaction/search${word ? `/${encodeURIComponent(word)}` : ""}${rest ? `?${rest}` : ""}`;
}

/** Lower and upper end (exclusive, missing if there is none) of a band; undefined if it is none. */
function band(key: string): [from: number, to?: number] | undefined {
  const [, from, to] = /^(\d{1,15})-(\d{0,15})$/.exec(key) ?? [];
  if (from === undefined || (to && Number(to) <= Number(from))) return undefined;
  return to ? [Number(from), Number(to)] : [Number(from)];
}

/** The search request for an address; empty fields are left out. */
export function requestOf(keyword: string, query: URLSearchParams): TransactionModelListRequest {
  const one = (facet: FacetName) => chosen(query, facet)[0];
  const bandOf = (facet: FacetName) => band(one(facet) ?? "") ?? [];
  const [priceMin, priceTo] = bandOf("price");
  const [triangleMin, triangleTo] = bandOf("triangles");
  const [scoreMin] = bandOf("score");
  const sort = sortOf(query);
  const request: TransactionModelListRequest = {
    keyword: keyword.trim().slice(0, MOST_WORD),
    categoryId: one("category"),
    labelIds: chosen(query, "label").join(","),
    formats: chosen(query, "format").join(","),
    priceMin,
    priceMax: priceTo === undefined ? undefined : priceTo - 1,
    license: one("license"),
    animated: one("animation"),
    triangleMin,
    triangleMax: triangleTo === undefined ? undefined : triangleTo - 1,
    scoreMin,
    origin: chosen(query, "origin").join(","),
    sellerId: one("seller"),
    sort: sort === "comprehensive" ? "" : sort,
    pageNo: pageOf(query),
    pageSize: PAGE_SIZE,
  };
  return Object.fromEntries(
    Object.entries(request).filter(([, value]) => value !== undefined && value !== ""),
  );
}
