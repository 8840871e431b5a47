import Box from "@mui/material/Box";
import { Link } from "react-router";
import { useContentCategoriesQuery, useContentListQuery } from "@/calls/content";
import { CardGrid, CardsWaiting, Column, Lead, listPath, Part } from "@/features/article";
import { EmptyState } from "@/ui/EmptyState";
import { ReadFailed } from "@/ui/ReadFailed";

/** Cases by industry. */
export default function CaseProgrammePage() {
  const categories = useContentCategoriesQuery({ kind: "case" });
  const list = useContentListQuery({ kind: "case", pageNo: 1, pageSize: 100 });
  const failed = categories.isError || list.isError;
  const groups = (categories.data?.categories ?? [])
    .map((category) => ({
      category,
      cards: (list.data?.results ?? []).filter(({ categoryId }) => categoryId === category.id),
    }))
    .filter(({ cards }) => cards.length > 0);
  const ready = categories.data && list.data;
  return (
    <Column>
      <Lead title="行业方案案例">同一个行业的案例放在一起看，数据和做法可以互相对照。</Lead>
      {failed && (
        <ReadFailed
          what="案例"
          onRetry={() => {
            void categories.refetch();
            void list.refetch();
          }}
        />
      )}
      {!failed && !ready && <CardsWaiting />}
      {!failed && ready && groups.length === 0 && (
        <EmptyState title="还没有案例" hint="发布之后会出现在这里。" />
      )}
      {!failed &&
        groups.map(({ category, cards }) => (
          <Part key={category.id} title={category.title} note={category.summary}>
            <CardGrid cards={cards} label={category.title} note={({ date }) => date} />
            <Box
              component={Link}
              to={listPath("case", category)}
              sx={{ display: "inline-block", mt: 2, color: "primary.main", textDecoration: "none" }}
            >
              {`只看${category.title}`}
            </Box>
          </Part>
        ))}
    </Column>
  );
}
