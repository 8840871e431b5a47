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

/** All help articles by group, in order. */
export function useHelpGroups() {
  const categories = useContentCategoriesQuery({ kind: "help" });
  const list = useContentListQuery({ kind: "help", pageNo: 1, pageSize: ALL });
  const groups: HelpGroup[] = (categories.data?.categories ?? [])
    .map((category) => ({
      category,
      cards: (list.data?.results ?? []).filter((card) => card.categoryId === category.id),
    }))
    .filter(({ cards }) => cards.length > 0);
  return {
    groups,
    ready: categories.data !== undefined && list.data !== undefined,
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
