import Box from "@mui/material/Box";
import type { ReactNode } from "react";
import {
  type Block,
  Blocks,
  type Kind,
  Picture,
  PictureFrame,
  Related,
  recipeOf,
  type ShownArticle,
  usePlaced,
  WithArticle,
} from "@/features/article";
import { ProductHero } from "@/features/site";

type Of<Type extends Block["type"]> = Extract<Block, { type: Type }>;

interface LandingProps {
  kind: Kind;
  /** Call to action, unless the article has its own. */
  act: { text: string; to: string };
  /** Tool to try, between the head and the article. */
  tool?: { title: string; note: string; node: ReactNode };
  /** Form that replaces the article's own call to action, below the article. */
  ask?: { title: string; note: string; node: ReactNode };
  /** Replaces the cover. */
  picture?: ReactNode;
}

/** Landing page: dark head with picture, tool to try, article, form. */
export function Landing(props: LandingProps) {
  const { state } = usePlaced(props.kind);
  return (
    <WithArticle kind={props.kind} state={state}>
      {(shown) => <Whole {...props} shown={shown} />}
    </WithArticle>
  );
}

function Whole({ act, tool, ask, picture, shown }: LandingProps & { shown: ShownArticle }) {
  const { article, card, blocks } = shown;
  const cover = recipeOf(card);
  // the article's own call to action is also shown in the head
  const own = blocks.findLast((block): block is Of<"action"> => block.type === "action");
  return (
    <>
      <ProductHero
        title={card.title}
        lead={card.summary}
        action={ask ? { text: ask.title, to: "#ask" } : own ? { text: own.label, to: own.path } : act}
        second={tool ? { text: tool.title, to: "#try" } : ask && act}
        picture={
          picture ??
          (cover && (
            <PictureFrame ratio="4 / 3">
              <Picture recipe={cover} alt={card.cover?.alt ?? ""} eager />
            </PictureFrame>
          ))
        }
      />
      {tool && (
        <Box
          component="section"
          id="try"
          aria-label={tool.title}
          sx={{ px: 2.5, py: { xs: 5, md: 7 }, backgroundColor: "background.default", scrollMarginTop: 72 }}
        >
          <Box sx={{ maxWidth: 1200, mx: "auto" }}>
            <Box component="h2" sx={{ m: 0, fontSize: { xs: 22, md: 28 }, lineHeight: 1.4, fontWeight: 600 }}>
              {tool.title}
            </Box>
            <Box component="p" sx={{ m: 0, mt: 0.5, mb: 3, color: "text.secondary" }}>
              {tool.note}
            </Box>
            {tool.node}
          </Box>
        </Box>
      )}
      <Box sx={{ px: 2.5, pt: { xs: 3, md: 5 }, pb: { xs: 6, md: 10 } }}>
        <Box component="article" sx={{ maxWidth: 860, mx: "auto" }}>
          <Blocks blocks={ask ? blocks.filter((block) => block !== own) : blocks} />
        </Box>
        {ask && (
          <Box
            component="section"
            id="ask"
            aria-label={ask.title}
            sx={{ maxWidth: 860, mx: "auto", mt: { xs: 5, md: 7 }, scrollMarginTop: 72 }}
          >
            <Box component="h2" sx={{ m: 0, fontSize: { xs: 22, md: 28 }, lineHeight: 1.4, fontWeight: 600 }}>
              {ask.title}
            </Box>
            <Box component="p" sx={{ m: 0, mt: 0.5, mb: 3, color: "text.secondary" }}>
              {ask.note}
            </Box>
            {ask.node}
          </Box>
        )}
        <Box sx={{ maxWidth: 1200, mx: "auto" }}>
          <Related cards={article.related} />
        </Box>
      </Box>
    </>
  );
}
