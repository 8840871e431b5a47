import Box from "@mui/material/Box";
import { type TransactionModelReviewItem, useMyRatingsQuery } from "@/calls/transaction";
import { modelPath } from "@/shop/paths";
import type { Column } from "@/ui/DataTable";
import {
  ChoiceFilter,
  DaysFilter,
  ListPage,
  linkColumn,
  SearchFilter,
  textColumn,
  timeColumn,
  useListAddress,
} from "@/ui/list";
import { PageHeader } from "@/ui/PageHeader";
import { Stars } from "@/ui/Stars";

const STARS = { 1: "1 星", 2: "2 星", 3: "3 星", 4: "4 星", 5: "5 星" };

const COLUMNS: readonly Column<TransactionModelReviewItem>[] = [
  linkColumn("listingName", "模型", ({ listingId }) => modelPath(listingId)),
  textColumn(({ review }) => <Stars value={review.stars} />, "星级"),
  textColumn(
    ({ review, hiddenReason }) =>
      hiddenReason ? (
        <>
          {review.content}
          <Box sx={{ fontSize: 12, color: "error.main" }}>{`已隐藏：${hiddenReason}`}</Box>
        </>
      ) : (
        review.content
      ),
    "评价",
  ),
  textColumn(({ review }) => review.answer, "作者回复", { secondary: true }),
  timeColumn(({ review }) => review.createdAt, "评价时间"),
];

/** The user's own reviews of models in the mall. */
export default function MyRatings() {
  const list = useListAddress({ fields: ["keyword", "stars", "from", "to"], known: { stars: STARS } });
  const ratings = useMyRatingsQuery({ ...list.request, stars: Number(list.values.stars) });
  const filters = (
    <>
      <SearchFilter list={list} name="keyword" label="按评价内容搜索" />
      <ChoiceFilter list={list} name="stars" label="星级" all="全部星级" choices={STARS} />
      <DaysFilter list={list} />
    </>
  );
  const empty = { title: "还没有评价", hint: "您在模型详情页写下的评价会列在这里。" };
  const rows = { columns: COLUMNS, rowKey: ({ review }: TransactionModelReviewItem) => review.reviewId };
  return (
    <>
      <PageHeader title="我的评价" />
      <ListPage what="评价" query={ratings} list={list} filters={filters} {...rows} empty={empty} />
    </>
  );
}
