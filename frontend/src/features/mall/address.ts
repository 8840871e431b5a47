/** What is searched for, as the address tells it: every choice is a field of the query, named as its facet is. */
import type { TransactionModelListRequest } from "@/calls/transaction";

export const PAGE_SIZE = 24;
/** The server answers no page beyond the first 10,000 results. */
export const LAST_PAGE = Math.floor(10_000 / PAGE_SIZE);
/** Of one field, as the call takes them. */
const MOST_KEYS = 20;
const MOST_WORD = 100;

/** Facets of which several may be chosen; of the others a choice takes the former one's place. */
const SEVERAL: ReadonlySet<string> = new Set(["label", "format", "origin"]);

/** In the order in which they are offered. */
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

export function chosen(query: URLSearchParams, facet: FacetName): string[] {
  const keys = (query.get(facet) ?? "").split(",").filter(Boolean);
  return [...new Set(keys)].slice(0, SEVERAL.has(facet) ? MOST_KEYS : 1);
}

export function sortOf(query: URLSearchParams): string {
  const asked = query.get("sort");
  return SORTS.find((sort) => sort.id === asked)?.id ?? "comprehensive";
}

export function pageOf(query: URLSearchParams): number {
  const page = Number(query.get("page"));
  return Number.isSafeInteger(page) && page > 0 ? Math.min(page, LAST_PAGE) : 1;
}

/** How many pages there are to be asked for. */
export function pagesOf(total: number): number {
  return Math.min(Math.ceil(total / PAGE_SIZE), LAST_PAGE);
}

/** The query after a choice, which leads back to the first page; an empty one takes the field out. */
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

export function withSort(query: URLSearchParams, sort: string): URLSearchParams {
  return changed(query, "sort", sort === "comprehensive" ? "" : sort);
}

export function withPage(query: URLSearchParams, page: number): URLSearchParams {
  const next = changed(query, "page", "");
  if (page > 1) next.set("page", String(page));
  return next;
}

/** Without any choice but the order. */
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

/** A band's ends, of which the upper one is not in it; undefined where there is none. */
function band(key: string | undefined): [number | undefined, number | undefined] {
  const [, from, to] = /^(\d{1,15})-(\d{0,15})$/.exec(key ?? "") ?? [];
  return [from ? Number(from) : undefined, to ? Number(to) : undefined];
}

/** What the call takes of the address; fields that tell nothing are left out. */
export function requestOf(keyword: string, query: URLSearchParams): TransactionModelListRequest {
  const one = (facet: FacetName) => chosen(query, facet)[0];
  const [priceMin, priceTo] = band(one("price"));
  const [triangleMin, triangleTo] = band(one("triangles"));
  const [scoreMin] = band(one("score"));
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
