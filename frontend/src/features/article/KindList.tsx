import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import type { ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import {
  type ContentContentCard,
  type ContentContentCategory,
  useContentCategoriesQuery,
  useContentListQuery,
} from "@/calls/content";
import { EmptyState } from "@/ui/EmptyState";
import { LinkTabs } from "@/ui/LinkTabs";
import { ListPage } from "@/ui/list";
import { ReadFailed } from "@/ui/ReadFailed";
import { useTitle } from "@/ui/useTitle";
import { CardsWaiting } from "./Cards";
import { KINDS, type Kind } from "./kinds";
import { Column, Lead } from "./Parts";

const PAGE = 24;

/** The category named by the address: `cid`, else `parentId`; both by id or slug. */
export function categoryOf(query: URLSearchParams, categories: readonly ContentContentCategory[]) {
  const find = (name: string | null) =>
    name ? categories.find((one) => one.id === name || one.slug === name) : undefined;
  return find(query.get("cid")) ?? find(query.get("parentId"));
}

/** Path of a category's list. */
export function listPath(kind: Kind, category?: ContentContentCategory): string {
  const { home } = KINDS[kind];
  if (!category) return home;
  const query = new URLSearchParams();
  if (category.parentId) query.set("parentId", category.parentId);
  query.set("cid", category.id);
  return `${home}?${query}`;
}

/** Published articles of a kind by category and page, both stored in the address. */
export function KindList({
  kind,
  lead,
  intro,
  children,
}: {
  kind: Kind;
  lead: string;
  /** Shown above the list when no category is chosen. */
  intro?: ReactNode;
  children: (cards: readonly ContentContentCard[]) => ReactNode;
}) {
  const [query, setQuery] = useSearchParams();
  const { homeTitle, title, one } = KINDS[kind];
  const categories = useContentCategoriesQuery({ kind });
  const all = categories.data?.categories ?? [];
  const chosen = categoryOf(query, all);
  const named = query.get("cid") ?? query.get("parentId") ?? "";
  const unknown = named !== "" && categories.data !== undefined && !chosen;
  const page = Math.max(1, Number(query.get("page")) || 1);
  const list = useContentListQuery(
    { kind, categoryId: chosen?.id ?? "", pageNo: page, pageSize: PAGE },
    // the address may carry a slug: the list of categories resolves it to an id
    { skip: named !== "" && !chosen },
  );
  const first = all.filter(({ parentId }) => !parentId);
  const root = chosen?.parentId || chosen?.id;
  const below = all.filter(({ parentId }) => parentId && parentId === root);
  const count = (id: string) =>
    all
      .filter((category) => category.id === id || category.parentId === id)
      .reduce((sum, { articles }) => sum + articles, 0);
  useTitle(chosen && `${chosen.title} - ${homeTitle}`);
  const turnTo = (next: number) => {
    const changed = new URLSearchParams(query);
    changed.set("page", String(next));
    setQuery(changed);
  };
  const tab = (category: ContentContentCategory) => ({
    id: category.id,
    text: category.title,
    to: listPath(kind, category),
    count: count(category.id),
  });
  return (
    <Column>
      <Lead title={chosen ? `${homeTitle}：${chosen.title}` : homeTitle}>{chosen?.summary || lead}</Lead>
      {!named && intro}
      <Box sx={{ mt: 3, minHeight: 44 }}>
        {first.length > 0 && (
          <LinkTabs
            label={`${title}分类`}
            current={root ?? ""}
            tabs={[{ id: "", text: "全部", to: listPath(kind) }, ...first.map(tab)]}
          />
        )}
        {below.length > 0 && <LinkTabs label="下级分类" current={chosen?.id ?? ""} tabs={below.map(tab)} />}
      </Box>
      <Box sx={{ mt: 3, minHeight: "60vh" }}>
        {named !== "" && categories.isError && !categories.data ? (
          <ReadFailed what={title} onRetry={() => void categories.refetch()} />
        ) : unknown ? (
          <EmptyState
            kind="search"
            title="没有这个分类"
            hint="它可能已经改名或合并。"
            action={
              <Button component={Link} to={listPath(kind)} variant="contained">
                {`看全部${title}`}
              </Button>
            }
          />
        ) : (
          <ListPage
            what={title}
            query={list}
            list={{ page, pageSize: PAGE, setPage: turnTo }}
            skeleton={<CardsWaiting />}
            empty={{ title: `这里还没有${one}`, hint: "发布之后会出现在这里。" }}
          >
            {children}
          </ListPage>
        )}
      </Box>
    </Column>
  );
}
