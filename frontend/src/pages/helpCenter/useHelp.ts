import { useDeferredValue, useMemo } from "react";
import {
  type ContentContentCard,
  type ContentContentCategory,
  useContentCategoriesQuery,
  useContentListQuery,
} from "@/calls/content";

/** Page size limit of the call; the help centre has fewer articles. */
const ALL = 100;

export interface HelpGroup {
  category: ContentContentCategory;
  cards: readonly ContentContentCard[];
}

/** Not while a call is on its way. */
const answered = <T>({ data, isError }: { data?: T; isError: boolean }) => ({ data, isError });

/** All help articles by group, in order; a deferred value, with which memoized components are rendered in slices. */
export function useHelpGroups() {
  const categories = useContentCategoriesQuery({ kind: "help" }, { selectFromResult: answered });
  const list = useContentListQuery(
    { kind: "help", pageNo: 1, pageSize: ALL },
    { selectFromResult: answered },
  );
  const found = useMemo(() => {
    const groups: HelpGroup[] = (categories.data?.categories ?? [])
      .map((category) => ({
        category,
        cards: (list.data?.results ?? []).filter((card) => card.categoryId === category.id),
      }))
      .filter(({ cards }) => cards.length > 0);
    return { groups, ready: categories.data !== undefined && list.data !== undefined };
  }, [categories.data, list.data]);
  return {
    ...useDeferredValue(found),
    failed: (categories.isError && !categories.data) || (list.isError && !list.data),
    retry: () => {
      if (categories.isError) void categories.refetch();
      if (list.isError) void list.refetch();
    },
  };
}

/** The page of a group. */
export const groupPath = ({ id }: ContentContentCategory) => `/helpCenter?cid=${encodeURIComponent(id)}`;
export const resultsPath = (keyword: string) =>
  keyword ? `/helpCenter?keyword=${encodeURIComponent(keyword)}` : "/helpCenter";
