import Box from "@mui/material/Box";
import { Link, useLocation, useSearchParams } from "react-router";
import type { ContentContentCard } from "@/calls/content";
import {
  Blocks,
  Picture,
  PictureFrame,
  Related,
  recipeOf,
  type ShownArticle,
  useArticle,
  usePlaced,
  WithArticle,
} from "@/features/article";

/** A brochure: its sheets as tabs above, a cover, the text; printed without the rest of the page. */
export default function BrochurePage() {
  const [query] = useSearchParams();
  const id = query.get("id") ?? undefined;
  const placed = usePlaced("brochure");
  const own = useArticle("brochure", id);
  const state = id || query.has("preview") ? own : placed.state;
  return (
    <>
      <Sheets cards={placed.cards} />
      <WithArticle kind="brochure" state={state}>
        {(shown) => <Sheet shown={shown} />}
      </WithArticle>
    </>
  );
}

function Sheets({ cards }: { cards: readonly ContentContentCard[] }) {
  const { pathname } = useLocation();
  return (
    <Box
      component="nav"
      aria-label="产品手册"
      sx={{
        minHeight: 49,
        px: 2.5,
        display: "flex",
        gap: 3,
        overflowX: "auto",
        borderBottom: 1,
        borderColor: "divider",
        "@media print": { display: "none" },
      }}
    >
      {cards.map((card) => (
        <Box
          key={card.id}
          component={Link}
          to={card.path}
          aria-current={card.path === pathname ? "page" : undefined}
          sx={{
            flex: "none",
            lineHeight: "48px",
            color: "text.secondary",
            textDecoration: "none",
            borderBottom: 2,
            borderColor: "transparent",
            outlineOffset: "-2px !important",
            "&[aria-current]": { color: "primary.main", borderColor: "primary.main" },
          }}
        >
          {card.title}
        </Box>
      ))}
    </Box>
  );
}

function Sheet({ shown: { article, card, blocks } }: { shown: ShownArticle }) {
  const cover = recipeOf(card);
  return (
    <Box sx={{ px: 2.5, pb: { xs: 6, md: 10 } }}>
      <Box
        component="article"
        sx={{
          maxWidth: 1040,
          mx: "auto",
          mt: { xs: 3, md: 6 },
          p: { md: 8 },
          border: { md: 1 },
          borderColor: { md: "divider" },
          "@media print": { border: 0, p: 0 },
        }}
      >
        <Box
          sx={{
            display: "grid",
            gap: { xs: 3, md: 6 },
            alignItems: "center",
            gridTemplateColumns: { xs: "minmax(0,1fr)", md: "minmax(0,1fr) 380px" },
          }}
        >
          <Box>
            <Box
              component="h1"
              sx={{ m: 0, fontSize: { xs: 28, md: 38 }, lineHeight: 1.35, fontWeight: 600 }}
            >
              {card.title}
            </Box>
            <Box
              component="p"
              sx={{ m: 0, mt: 2, fontSize: 16, lineHeight: "28px", color: "text.secondary" }}
            >
              {card.summary}
            </Box>
          </Box>
          {cover && (
            <PictureFrame ratio="4 / 3">
              <Picture recipe={cover} alt={card.cover?.alt ?? ""} eager />
            </PictureFrame>
          )}
        </Box>
        <Box sx={{ mt: 2 }}>
          <Blocks blocks={blocks} />
        </Box>
      </Box>
      <Box sx={{ maxWidth: 1200, mx: "auto", "@media print": { display: "none" } }}>
        <Related cards={article.related} />
      </Box>
    </Box>
  );
}
