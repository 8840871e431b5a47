import { useLocation } from "react-router";
import { type ContentContentCard, useContentListQuery } from "@/calls/content";
import type { Kind } from "./kinds";
import { type ArticleState, useArticle } from "./useArticle";

/** Exceeds the number of articles of any kind whose articles have their own addresses. */
const ALL = 100;

const same = (one: string, other: string) =>
  one.replace(/\/+$/, "").toLowerCase() === other.replace(/\/+$/, "").toLowerCase();

/**
 * The article of the current address, for kinds whose articles each have an address: found in the server's list, which is
 * returned as `cards`.
 */
export function usePlaced(kind: Kind): { state: ArticleState; cards: readonly ContentContentCard[] } {
  const { pathname } = useLocation();
  const list = useContentListQuery({ kind, pageNo: 1, pageSize: ALL });
  const cards = list.data?.results ?? [];
  const card = cards.find((one) => same(one.path, pathname));
  const found = useArticle(kind, card?.id);
  if (found.state !== "missing" || found.message) return { state: found, cards };
  // no article was requested yet: the list decides
  if (list.isError) return { state: { state: "failed", retry: () => void list.refetch() }, cards };
  if (!list.data) return { state: { state: "waiting" }, cards };
  return { state: { state: "missing", message: "这一页的内容还没有发布" }, cards };
}
