import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useState } from "react";
import { toast } from "@/ui/toast";
import { UserText } from "@/ui/UserText";
import {
  type TransactionModelReviewItem,
  transactionApi,
  useModelReviewHideMutation,
  useModelReviewRestoreMutation,
  useModelReviewSearchQuery,
} from "../../api/generated/transaction";
import { runQuery } from "../../api/run";
import type { Word } from "../../kit/choices";
import { minute } from "../../kit/format";
import { type Filter, List, type ListColumn } from "../../kit/list";
import { PageTitle } from "../../kit/page";
import { RowLink } from "../../kit/RowLink";
import { type ReasonAsk, ReasonDialog } from "../../kit/reason";
import { State } from "../../kit/State";
import { Nothing } from "../../kit/states";
import { useList } from "../../kit/useList";
import { useMay } from "../../session/slice";
import { pathOf } from "./words";

const PAGE = 50;
const EXPORT_PAGE = 100;

const SHOWN: readonly Word[] = [
  { value: "shown", text: "显示中", tone: "success" },
  { value: "hidden", text: "已隐藏", tone: "danger" },
];
const STARS: readonly Word[] = [1, 2, 3, 4, 5].map((stars) => ({
  value: String(stars),
  text: `${stars} 星`,
}));

const FILTERS: readonly Filter[] = [
  { kind: "text", name: "text", label: "内容或 ID", placeholder: "评价内容、模型 ID 或用户 ID" },
  { kind: "choice", name: "state", label: "状态", choices: SHOWN },
  { kind: "choice", name: "stars", label: "星级", choices: STARS },
];

const stateOf = ({ hidden }: TransactionModelReviewItem): string => (hidden ? "hidden" : "shown");

/** Reviews of models; an operator hides one for a reason, or restores it. */
export default function ReviewsPage() {
  const list = useList(FILTERS);
  const may = useMay();
  const [hide] = useModelReviewHideMutation();
  const [restore] = useModelReviewRestoreMutation();
  const [ask, setAsk] = useState<ReasonAsk>();
  const narrowed = {
    text: list.values.text ?? "",
    state: list.values.state ?? "",
    stars: Number(list.values.stars) || 0,
  };
  const query = useModelReviewSearchQuery(
    { ...narrowed, after: list.after, size: PAGE },
    { refetchOnMountOrArgChange: true },
  );
  const page = query.currentData ?? (query.error ? undefined : query.data);

  const askFor = ({ review: { reviewId }, hidden }: TransactionModelReviewItem) =>
    setAsk(
      hidden
        ? {
            title: "恢复显示这条评价",
            confirmText: "恢复",
            note: "评价重新显示，星级重新计入平均分。",
            templates: ["核实后没有违规"],
            onConfirm: async (reason) => {
              await restore({ reviewId, reason }).unwrap();
              toast.success("已恢复显示");
            },
          }
        : {
            title: "隐藏这条评价",
            confirmText: "隐藏",
            danger: true,
            note: "评价不再显示，星级不计入平均分。原因会告诉评价的作者。",
            templates: ["含有辱骂或人身攻击", "与模型无关的广告", "恶意刷评价"],
            onConfirm: async (reason) => {
              await hide({ reviewId, reason }).unwrap();
              toast.success("已隐藏");
            },
          },
    );

  const columns: readonly ListColumn<TransactionModelReviewItem>[] = [
    {
      key: "model",
      title: "模型",
      render: ({ listingId, listingName }) => <RowLink to={pathOf(listingId)}>{listingName}</RowLink>,
      csv: ({ listingName }) => listingName,
    },
    {
      key: "stars",
      title: "星级",
      numeric: true,
      render: ({ review }) => review.stars,
      csv: ({ review }) => review.stars,
    },
    {
      key: "content",
      title: "内容",
      render: ({ review, hiddenReason }) => (
        <Box sx={{ maxWidth: 420, overflowWrap: "anywhere", whiteSpace: "normal" }}>
          <UserText>{review.content || "（只有星级）"}</UserText>
          {review.answer && (
            <UserText sx={{ fontSize: 12, color: "text.secondary" }}>{`作者回复：${review.answer}`}</UserText>
          )}
          {hiddenReason && (
            <UserText sx={{ fontSize: 12, color: "text.secondary" }}>{`隐藏原因：${hiddenReason}`}</UserText>
          )}
        </Box>
      ),
      csv: ({ review }) => review.content,
    },
    {
      key: "author",
      title: "作者 ID",
      secondary: true,
      render: ({ author }) => author,
      csv: ({ author }) => author,
    },
    {
      key: "state",
      title: "状态",
      render: (item) => <State words={SHOWN} value={stateOf(item)} />,
      csv: (item) => (item.hidden ? "已隐藏" : "显示中"),
    },
    {
      key: "time",
      title: "时间",
      numeric: true,
      secondary: true,
      render: ({ review }) => minute(review.createdAt),
      csv: ({ review }) => minute(review.createdAt),
    },
    {
      key: "act",
      title: "操作",
      render: (item) =>
        may("rating.manage") && (
          <Button size="small" onClick={() => askFor(item)}>
            {item.hidden ? "恢复" : "隐藏"}
          </Button>
        ),
    },
  ];

  return (
    <>
      <PageTitle title="模型评价" />
      <List
        id="mall-reviews"
        what="评价"
        filters={FILTERS}
        state={list}
        columns={columns}
        rowKey={({ review }) => review.reviewId}
        result={page && { rows: page.reviews, next: page.next }}
        error={query.error}
        loading={query.isFetching}
        onRetry={query.refetch}
        empty={<Nothing title="没有评价" />}
        fetchPage={async (after) => {
          const { reviews, next } = await runQuery(
            transactionApi.endpoints.modelReviewSearch.initiate(
              { ...narrowed, after, size: EXPORT_PAGE },
              { forceRefetch: true },
            ),
          );
          return { rows: reviews, next };
        }}
      />
      <ReasonDialog ask={ask} onClose={() => setAsk(undefined)} />
    </>
  );
}
