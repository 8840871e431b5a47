import Box from "@mui/material/Box";
import { Link } from "react-router";
import type { ContentContentCard } from "@/calls/content";
import { Picture, recipeOf } from "@/features/article";

/** By date, the newest first: day at the left, text, a small picture at the right. */
export function NewsRows({ cards }: { cards: readonly ContentContentCard[] }) {
  return (
    <Box component="ol" aria-label="新闻" sx={{ m: 0, p: 0, listStyle: "none" }}>
      {cards.map((card) => {
        const recipe = recipeOf(card);
        return (
          <Box component="li" key={card.id} sx={{ borderBottom: 1, borderColor: "divider" }}>
            <Box
              component={Link}
              to={card.path}
              sx={{
                py: 3,
                display: "grid",
                columnGap: { xs: 2, md: 4 },
                alignItems: "center",
                gridTemplateColumns: { xs: "minmax(0,1fr) 96px", md: "120px minmax(0,1fr) 200px" },
                color: "text.primary",
                textDecoration: "none",
                "&:hover h2": { color: "primary.main" },
              }}
            >
              <Box
                sx={{
                  gridColumn: { xs: "1 / -1", md: "auto" },
                  fontSize: 13,
                  lineHeight: "20px",
                  color: "text.secondary",
                  fontVariantNumeric: "tabular-nums",
                }}
              >
                <time dateTime={card.date}>{card.date}</time>
                <Box component="span" sx={{ display: { md: "block" }, ml: { xs: 1, md: 0 } }}>
                  {card.categoryTitle}
                </Box>
              </Box>
              <Box sx={{ minWidth: 0 }}>
                <Box component="h2" sx={{ m: 0, fontSize: 18, lineHeight: "28px", fontWeight: 600 }}>
                  {card.title}
                </Box>
                <Box component="p" sx={{ m: 0, mt: 0.5, lineHeight: "22px", color: "text.secondary" }}>
                  {card.summary}
                </Box>
              </Box>
              <Box sx={{ aspectRatio: "4 / 3", borderRadius: 1, overflow: "hidden" }}>
                {recipe && <Picture recipe={recipe} alt="" />}
              </Box>
            </Box>
          </Box>
        );
      })}
    </Box>
  );
}
