import Box from "@mui/material/Box";
import Skeleton from "@mui/material/Skeleton";
import { Link } from "react-router";
import type { ContentContentCard } from "@/calls/content";
import type { Recipe } from "./blocks";
import { Picture } from "./Picture";

/** The cover's recipe; undefined if there is no cover. */
export const recipeOf = ({ cover }: ContentContentCard): Recipe | undefined =>
  cover?.sample ? { sample: cover.sample, view: cover.view, params: {} } : undefined;

const GRID = {
  m: 0,
  p: 0,
  listStyle: "none",
  display: "grid",
  columnGap: 3,
  rowGap: { xs: 3, md: 5 },
  gridTemplateColumns: {
    xs: "minmax(0,1fr)",
    sm: "repeat(2, minmax(0,1fr))",
    md: "repeat(3, minmax(0,1fr))",
  },
} as const;

/** Card of an article: its cover with the text below. */
export function ArticleCard({
  card,
  note,
  heading = "h3",
}: {
  card: ContentContentCard;
  note?: string;
  heading?: "h2" | "h3";
}) {
  const recipe = recipeOf(card);
  const below = note ?? [card.categoryTitle, card.date].filter(Boolean).join(" · ");
  return (
    <Box
      component={Link}
      to={card.path}
      sx={{
        display: "block",
        color: "text.primary",
        textDecoration: "none",
        "&:hover :is(h2, h3)": { color: "primary.main" },
      }}
    >
      <Box
        sx={{
          aspectRatio: "16 / 10",
          borderRadius: 2,
          overflow: "hidden",
          border: 1,
          borderColor: "divider",
        }}
      >
        <Picture recipe={recipe ?? { sample: "lens-cube", view: "front", params: {} }} alt="" />
      </Box>
      <Box component={heading} sx={{ m: 0, mt: 1.5, fontSize: 17, lineHeight: "26px", fontWeight: 600 }}>
        {card.title}
      </Box>
      <Box component="p" sx={{ m: 0, mt: 0.5, lineHeight: "22px", color: "text.secondary" }}>
        {card.summary}
      </Box>
      {below && <Box sx={{ mt: 1, fontSize: 12, color: "text.secondary" }}>{below}</Box>}
    </Box>
  );
}

export function CardGrid({
  cards,
  label,
  note,
  heading,
}: {
  cards: readonly ContentContentCard[];
  label: string;
  note?: (card: ContentContentCard) => string;
  /** of the cards; "h2" right below the page's own */
  heading?: "h2" | "h3";
}) {
  return (
    <Box component="ul" aria-label={label} sx={GRID}>
      {cards.map((card) => (
        <li key={card.id}>
          <ArticleCard card={card} note={note?.(card)} heading={heading} />
        </li>
      ))}
    </Box>
  );
}

export function CardsWaiting({ count = 6 }: { count?: number }) {
  return (
    <Box role="status" aria-label="正在读取" sx={GRID}>
      {Array.from({ length: count }, (_, at) => `w${at}`).map((key) => (
        <Box key={key}>
          <Skeleton variant="rounded" sx={{ width: "100%", height: "auto", aspectRatio: "16 / 10" }} />
          <Skeleton variant="text" sx={{ mt: 1.5, fontSize: 17, width: "70%" }} />
          <Skeleton variant="text" />
          <Skeleton variant="text" sx={{ width: 120 }} />
        </Box>
      ))}
    </Box>
  );
}
