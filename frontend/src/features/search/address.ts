import { isKind, type Kind, MOST_OF_KEYWORD } from "@/features/article";

/** Tab of the search: all articles (empty), one kind of them, or the mall's models. */
export type Tab = "" | Kind | "model";

export const keywordOf = (query: URLSearchParams) =>
  (query.get("keyword") ?? "").trim().slice(0, MOST_OF_KEYWORD);

export function tabOf(query: URLSearchParams): Tab {
  const tab = query.get("tab") ?? "";
  return tab === "model" || isKind(tab) ? tab : "";
}

export const pageOf = (query: URLSearchParams) => {
  const page = Number(query.get("page"));
  return Number.isSafeInteger(page) && page > 0 ? Math.min(page, 1000) : 1;
};

export function searchAddress(keyword: string, tab: Tab = "", page = 1): string {
  const query = new URLSearchParams();
  if (keyword) query.set("keyword", keyword);
  if (tab) query.set("tab", tab);
  if (page > 1) query.set("page", String(page));
  return `/common/search${query.size > 0 ? `?${query}` : ""}`;
}
