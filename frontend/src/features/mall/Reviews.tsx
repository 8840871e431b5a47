import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useState } from "react";
import {
  type TransactionListing,
  type TransactionModelReview,
  useModelReviewsQuery,
} from "@/calls/transaction";
import { Avatar } from "@/features/avatar";
import { calledBy, useSession } from "@/session";
import { CertifiedBadge, markOf } from "@/ui/CertifiedBadge";
import { ListPage, useListState } from "@/ui/list";
import { dayOf } from "@/ui/numbers";
import { LinesSkeleton } from "@/ui/Skeletons";
import { Stars } from "@/ui/Stars";
import { Block } from "./DetailParts";
import { AnswerForm, OwnReview } from "./ReviewForms";
import { averageText } from "./words";

const WAYS: Readonly<Record<string, string>> = { free: "免费领取", operator: "平台赠送" };

/** Reviews by owners of the model. */
export function Reviews({ listing }: { listing: TransactionListing }) {
  const { loginId, signedIn } = useSession();
  const list = useListState({ tab: "stars", pageSize: 10 });
  const stars = Number(list.values.stars);
  const modelId = listing.listingId;
  const reviews = useModelReviewsQuery({ modelId, ...list.request, stars });
  const figures = reviews.currentData ?? reviews.data;
  const maker = signedIn && listing.seller === loginId;
  return (
    <Block title="评价">
      {signedIn && !maker && <OwnReview modelId={modelId} />}
      <ListPage
        dense
        what="评价"
        query={reviews}
        list={list}
        above={
          figures &&
          figures.ratingCount > 0 && (
            <Box sx={{ display: "flex", flexWrap: "wrap", gap: 3, alignItems: "center", mb: 1 }}>
              <Box sx={{ textAlign: "center" }}>
                <Box sx={{ fontSize: 32, lineHeight: "40px", fontWeight: 600 }} className="tabular">
                  {averageText(figures)}
                </Box>
                <Stars value={figures.ratingSum / figures.ratingCount} />
                <Box sx={{ fontSize: 12, color: "text.secondary" }}>{`${figures.ratingCount} 条评价`}</Box>
              </Box>
              <Box role="group" aria-label="按星级查看" sx={{ flex: 1, minWidth: 220, maxWidth: 420 }}>
                {[5, 4, 3, 2, 1].map((one) => (
                  <Bar
                    key={one}
                    stars={one}
                    count={figures.distribution[one - 1] ?? 0}
                    of={figures.ratingCount}
                    chosen={stars === one}
                    onChoose={() => list.set({ stars: stars === one ? "" : String(one) })}
                  />
                ))}
              </Box>
            </Box>
          )
        }
        skeleton={<LinesSkeleton lines={4} />}
        empty={
          <Box sx={{ py: stars ? 2 : 0, color: "text.secondary" }}>
            {stars ? "没有这个星级的评价。" : "还没有人评价。拥有这个模型的人可以写下第一条评价。"}
          </Box>
        }
      >
        {(rows) => (
          <Box component="ul" aria-label="评价" sx={{ listStyle: "none", m: 0, p: 0 }}>
            {rows.map((review) => (
              <Review key={review.reviewId} review={review} maker={maker} />
            ))}
          </Box>
        )}
      </ListPage>
    </Block>
  );
}

/** Number of reviews with this many stars; pressed, filters by them. */
function Bar({
  stars,
  count,
  of,
  chosen,
  onChoose,
}: {
  stars: number;
  count: number;
  of: number;
  chosen: boolean;
  onChoose: () => void;
}) {
  return (
    <Button
      fullWidth
      size="small"
      color="inherit"
      aria-pressed={chosen}
      onClick={onChoose}
      sx={{ py: 0.25, gap: 1, fontWeight: chosen ? 600 : 400 }}
    >
      <Box component="span" sx={{ width: 32, flex: "none" }}>{`${stars} 星`}</Box>
      <Box
        component="span"
        sx={{ flex: 1, height: 8, borderRadius: 1, bgcolor: "action.hover", overflow: "hidden" }}
      >
        <Box
          component="span"
          sx={{ display: "block", height: 1, width: `${(count / of) * 100}%`, bgcolor: "warning.main" }}
        />
      </Box>
      <Box component="span" className="tabular" sx={{ width: 32, flex: "none", textAlign: "right" }}>
        {count}
      </Box>
    </Button>
  );
}

function Review({ review, maker }: { review: TransactionModelReview; maker: boolean }) {
  const [answering, setAnswering] = useState(false);
  const name = calledBy(review.nickname);
  const notes = [
    dayOf(review.createdAt),
    review.updatedAt > review.createdAt ? `${dayOf(review.updatedAt)} 修改` : "",
    WAYS[review.way] ?? "",
  ];
  return (
    <Box component="li" sx={{ display: "flex", gap: 1.5, py: 2, borderTop: 1, borderColor: "divider" }}>
      <Avatar url={review.avatar} name={name} size={36} />
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Box sx={{ display: "flex", flexWrap: "wrap", columnGap: 1, alignItems: "center" }}>
          <Box component="span" sx={{ fontWeight: 500, overflowWrap: "anywhere" }}>
            {name}
          </Box>
          <CertifiedBadge as={markOf(review.certified)} mark="line" />
          <Stars value={review.stars} />
        </Box>
        <Box sx={{ fontSize: 12, color: "text.secondary" }}>{notes.filter(Boolean).join("　")}</Box>
        {review.content && (
          <Box sx={{ mt: 0.5, whiteSpace: "pre-line", overflowWrap: "anywhere" }}>{review.content}</Box>
        )}
        {review.answer && !answering && (
          <Box sx={{ mt: 1, p: 1.5, borderRadius: 1, bgcolor: "action.hover" }}>
            <Box
              sx={{ fontSize: 12, color: "text.secondary" }}
            >{`作者回复　${dayOf(review.answeredAt)}`}</Box>
            <Box sx={{ whiteSpace: "pre-line", overflowWrap: "anywhere" }}>{review.answer}</Box>
          </Box>
        )}
        {maker && !answering && (
          <Button size="small" aria-label={`回复 ${name} 的评价`} onClick={() => setAnswering(true)}>
            {review.answer ? "修改回复" : "回复"}
          </Button>
        )}
        {maker && answering && <AnswerForm review={review} onClose={() => setAnswering(false)} />}
      </Box>
    </Box>
  );
}
