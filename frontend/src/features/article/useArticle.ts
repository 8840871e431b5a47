import { useMemo } from "react";
import { useSearchParams } from "react-router";
import { codeOf, messageOf } from "@/api";
import { type ContentContentArticle, useContentDetailQuery, useContentPreviewQuery } from "@/calls/content";
import { type Block, readBlocks } from "./blocks";
import type { Kind } from "./kinds";

/** The article does not exist or was withdrawn. */
const NOT_THERE = 60104;

export type ArticleState =
  | { state: "waiting" }
  /** `message` says whether it never existed or was withdrawn; empty if the address names no article. */
  | { state: "missing"; message: string }
  | { state: "failed"; retry: () => void }
  | { state: "moved"; to: string }
  | { state: "shown"; article: ContentContentArticle; blocks: readonly Block[] };

/**
 * Loads an article by id or by slug (addresses printed before ids existed carry slugs). With the ticket of a preview link in the
 * address, loads the draft.
 */
export function useArticle(kind: Kind, name: string | undefined): ArticleState {
  const [query] = useSearchParams();
  const ticket = query.get("preview")?.slice(0, 200) ?? "";
  const wanted = name?.slice(0, 64) ?? "";
  const byId = /^\d+$/.test(wanted);
  const detail = useContentDetailQuery(byId ? { id: wanted } : { kind, slug: wanted }, {
    skip: !wanted || ticket !== "",
  });
  const preview = useContentPreviewQuery({ ticket }, { skip: ticket === "" });
  const { currentData: article, error, refetch } = ticket ? preview : detail;
  const blocks = useMemo(() => readBlocks(article?.content), [article]);
  if (!wanted && !ticket) return { state: "missing", message: "" };
  if (article?.movedTo) return { state: "moved", to: article.movedTo };
  if (article?.card?.id) return { state: "shown", article, blocks };
  if (error && codeOf(error) === NOT_THERE) return { state: "missing", message: messageOf(error) };
  if (error) return { state: "failed", retry: () => void refetch() };
  return { state: "waiting" };
}
