import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Rating from "@mui/material/Rating";
import { Link as RouterLink } from "react-router";
import { type TransactionModelReviewItem, useMyRatingsQuery } from "@/calls/transaction";
import type { Column } from "@/ui/DataTable";
import { dayEnd, dayStart } from "@/ui/DateRange";
import { dateText } from "@/ui/dateText";
import { ChoiceFilter, DaysFilter, ListPage, SearchFilter, useListAddress } from "@/ui/list";
import { PageHeader } from "@/ui/PageHeader";

const STARS = { 1: "1 星", 2: "2 星", 3: "3 星", 4: "4 星", 5: "5 星" };
const TEXT = { whiteSpace: "pre-line", overflowWrap: "anywhere" } as const;

const COLUMNS: readonly Column<TransactionModelReviewItem>[] = [
  {
    key: "model",
    title: "模型",
    render: ({ listingId, listingName }) => (
      <Link component={RouterLink} to={`/transaction/detail?id=${encodeURIComponent(listingId)}`} sx={TEXT}>
        {listingName}
      </Link>
    ),
  },
  {
    key: "stars",
    title: "星级",
    render: ({ review: { stars } }) => (
      <Rating readOnly size="small" value={stars} getLabelText={(value) => `${value} 星`} />
    ),
  },
  {
    key: "content",
    title: "评价",
    render: ({ review, hiddenReason }) => (
      <Box sx={TEXT}>
        {review.content || "—"}
        {hiddenReason && <Box sx={{ fontSize: 12, color: "error.main" }}>{`已被隐藏：${hiddenReason}`}</Box>}
      </Box>
    ),
  },
  {
    key: "answer",
    title: "作者回复",
    render: ({ review }) => <Box sx={TEXT}>{review.answer || "—"}</Box>,
  },
  {
    key: "createdAt",
    title: "评价时间",
    numeric: true,
    secondary: true,
    render: ({ review }) => dateText(review.createdAt),
  },
];

/** The user's own reviews of models in the mall. */
export default function MyRatings() {
  const list = useListAddress({ fields: ["keyword", "stars", "from", "to"], known: { stars: STARS } });
  const { keyword, stars, from, to } = list.values;
  const ratings = useMyRatingsQuery({
    keyword,
    stars: Number(stars),
    beginTime: dayStart(from),
    endTime: dayEnd(to),
    pageNo: list.page,
    pageSize: list.pageSize,
  });
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
