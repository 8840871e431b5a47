import Box from "@mui/material/Box";
import { Link, useLocation, useSearchParams } from "react-router";
import type { ContentContentCard } from "@/calls/content";
import {
  Blocks,
  CardGrid,
  Part,
  Picture,
  Related,
  recipeOf,
  type ShownArticle,
  useArticle,
  usePlaced,
  WithArticle,
} from "@/features/article";

/** A solution: its picture across the page, the article, its cases, and links to the other industries. */
export default function SolutionPage() {
  const [query] = useSearchParams();
  const id = query.get("id") ?? undefined;
  const { state, cards } = usePlaced("solution");
  const own = useArticle("solution", id);
  return (
    <WithArticle kind="solution" state={id || query.has("preview") ? own : state}>
      {(shown) => <Solution shown={shown} others={cards.filter((card) => card.id !== shown.card.id)} />}
    </WithArticle>
  );
}

function Solution({
  shown: { article, card, blocks },
  others,
}: {
  shown: ShownArticle;
  others: readonly ContentContentCard[];
}) {
  const cover = recipeOf(card);
  const overview = useLocation().pathname.replace(/\/+$/, "").toLowerCase() === "/solution";
  const cases = article.related.filter(({ kind }) => kind === "case");
  const rest = article.related.filter(({ kind }) => kind !== "case" && kind !== "solution");
  return (
    <>
      {/* the background colour of the renders, so that the picture has no edge */}
      <Box
        sx={{
          borderBottom: 1,
          borderColor: "divider",
          background: "linear-gradient(180deg,#F3F5F9,#E6EAF2)",
        }}
      >
        <Box
          sx={{
            maxWidth: 1240,
            mx: "auto",
            display: "grid",
            alignItems: "center",
            gridTemplateColumns: { xs: "minmax(0,1fr)", md: "minmax(0,5fr) minmax(0,6fr)" },
          }}
        >
          <Box sx={{ px: 2.5, py: { xs: 4, md: 6 } }}>
            <Box
              component={Link}
              to="/solution"
              sx={{ fontSize: 14, color: "primary.dark", textDecoration: "none" }}
            >
              解决方案
            </Box>
            <Box
              component="h1"
              sx={{ m: 0, mt: 1, fontSize: { xs: 30, md: 42 }, lineHeight: 1.3, fontWeight: 600 }}
            >
              {card.title}
            </Box>
            <Box component="p" sx={{ m: 0, mt: 2, fontSize: 16, lineHeight: "28px" }}>
              {card.summary}
            </Box>
          </Box>
          <Box sx={{ height: { xs: 220, md: 400 } }}>
            {cover && <Picture recipe={cover} alt={card.cover?.alt ?? ""} eager />}
          </Box>
        </Box>
      </Box>
      <Box sx={{ maxWidth: 1240, mx: "auto", px: 2.5, pb: { xs: 6, md: 10 } }}>
        {overview && others.length > 0 && (
          <Part title="按行业看">
            <CardGrid cards={others} label="行业方案" note={() => ""} />
          </Part>
        )}
        <Box component="article" sx={{ maxWidth: 860, mx: "auto", pt: 2 }}>
          <Blocks blocks={blocks} />
        </Box>
        <Related cards={cases} title="相关案例" />
        <Related cards={rest} title="延伸阅读" />
        {!overview && others.length > 0 && <Others cards={others} />}
      </Box>
    </>
  );
}

function Others({ cards }: { cards: readonly ContentContentCard[] }) {
  return (
    <Part title="其他行业">
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1.5 }}>
        {cards.map((card) => (
          <Box
            key={card.id}
            component={Link}
            to={card.path}
            sx={{
              px: 2,
              py: 1.25,
              border: 1,
              borderColor: "divider",
              borderRadius: 1,
              color: "text.primary",
              textDecoration: "none",
              "&:hover": { borderColor: "primary.main", color: "primary.main" },
            }}
          >
            {card.title}
          </Box>
        ))}
      </Box>
    </Part>
  );
}
