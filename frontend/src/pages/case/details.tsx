import Box from "@mui/material/Box";
import { useSearchParams } from "react-router";
import {
  ArticleHead,
  Blocks,
  Column,
  Neighbours,
  Picture,
  PictureFrame,
  Reading,
  Related,
  recipeOf,
  type ShownArticle,
  useArticle,
  WithArticle,
} from "@/features/article";

/** One case: its model large at the top, then the story. */
export default function CaseDetailsPage() {
  const [query] = useSearchParams();
  return (
    <WithArticle kind="case" state={useArticle("case", query.get("id") ?? undefined)}>
      {(shown) => <Case shown={shown} />}
    </WithArticle>
  );
}

function Case({ shown: { article, card, blocks } }: { shown: ShownArticle }) {
  const cover = recipeOf(card);
  const live = blocks.some(({ type }) => type === "model" || type === "compare");
  return (
    <Column>
      <Reading blocks={blocks}>
        {(contents) => (
          <>
            <ArticleHead kind="case" article={article} card={card} />
            {cover && !live && (
              <Box sx={{ mt: 3 }}>
                <PictureFrame ratio="16 / 9">
                  <Picture recipe={cover} alt={card.cover?.alt ?? ""} eager />
                </PictureFrame>
              </Box>
            )}
            {contents}
            <Blocks blocks={blocks} />
            <Neighbours article={article} />
          </>
        )}
      </Reading>
      <Related cards={article.related} />
    </Column>
  );
}
