import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import type { ReactNode } from "react";
import { Link, Navigate } from "react-router";
import type { ContentContentArticle, ContentContentCard } from "@/calls/content";
import { useCanonical, useDescription, useTitle } from "@/ui/useTitle";
import { Blocks } from "./Blocks";
import { type Block, type Heading, headingsOf } from "./blocks";
import { CardGrid } from "./Cards";
import { ContentsAbove, ContentsBeside } from "./Contents";
import { KINDS, type Kind } from "./kinds";
import { ArticleFailed, Missing } from "./Missing";
import { ArticleWaiting, Column, type Crumb, Crumbs } from "./Parts";
import type { ArticleState } from "./useArticle";

export interface ShownArticle {
  article: ContentContentArticle;
  card: ContentContentCard;
  blocks: readonly Block[];
}

/** Renders an article or its placeholder while it is loading, missing or failed; sets the page's head from the article. */
export function WithArticle({
  kind,
  state,
  waiting,
  children,
}: {
  kind: Kind;
  state: ArticleState;
  waiting?: ReactNode;
  children: (shown: ShownArticle) => ReactNode;
}) {
  const card = state.state === "shown" ? state.article.card : undefined;
  useTitle(card?.title);
  useDescription(card?.summary);
  useCanonical(card?.path);
  if (state.state === "moved") return <Navigate to={state.to} replace />;
  if (state.state === "missing") return <Missing kind={kind} message={state.message} />;
  if (state.state === "failed") return <ArticleFailed kind={kind} retry={state.retry} />;
  if (state.state === "waiting" || !card)
    return (
      waiting ?? (
        <Column>
          <ArticleWaiting />
        </Column>
      )
    );
  return (
    <>
      {state.article.preview && (
        <>
          <meta name="robots" content="noindex" />
          <Alert severity="info" sx={{ borderRadius: 0 }}>
            这是一份草稿的预览，还没有发布；链接一小时后失效。
          </Alert>
        </>
      )}
      {children({ article: state.article, card, blocks: state.blocks })}
    </>
  );
}

/** Breadcrumbs from the list of the kind down to the article's category. */
export function wayTo(kind: Kind, { categories }: ContentContentArticle): Crumb[] {
  const { home, homeTitle } = KINDS[kind];
  // the lists of other kinds have no categories
  const listed = kind === "help" || kind === "news" || kind === "case" ? categories : [];
  return [
    ...(kind === "teach" ? [{ title: KINDS.help.homeTitle, to: KINDS.help.home }] : []),
    { title: homeTitle, to: home },
    ...listed.map(({ id, parentId, title }) => {
      const parent = parentId ? `parentId=${encodeURIComponent(parentId)}&` : "";
      return { title, to: `${home}?${parent}cid=${encodeURIComponent(id)}` };
    }),
  ];
}

export function ArticleHead({ kind, article, card }: { kind: Kind } & Omit<ShownArticle, "blocks">) {
  return (
    <>
      <Crumbs way={wayTo(kind, article)} />
      <Box
        component="h1"
        sx={{ m: 0, mt: 1.5, fontSize: { xs: 28, md: 36 }, lineHeight: 1.35, fontWeight: 600 }}
      >
        {card.title}
      </Box>
      <Box component="p" sx={{ m: 0, mt: 1.5, fontSize: 16, lineHeight: "27px", color: "text.secondary" }}>
        {card.summary}
      </Box>
      {card.date && (
        <Box sx={{ mt: 1.5, fontSize: 13, color: "text.secondary" }}>
          <time dateTime={card.date}>{card.date}</time>
        </Box>
      )}
    </>
  );
}

/** Links to the previous and next article of the list. */
export function Neighbours({ article: { previous, next } }: { article: ContentContentArticle }) {
  if (!previous?.id && !next?.id) return null;
  const entry = (word: string, card: ContentContentCard | undefined, end: boolean) =>
    card?.id ? (
      <Box
        component={Link}
        to={card.path}
        sx={{
          minWidth: 0,
          p: 2,
          border: 1,
          borderColor: "divider",
          borderRadius: 2,
          color: "text.primary",
          textDecoration: "none",
          textAlign: end ? "right" : "left",
          "&:hover": { borderColor: "primary.main" },
        }}
      >
        <Box sx={{ fontSize: 12, color: "text.secondary" }}>{word}</Box>
        <Box sx={{ mt: 0.5, fontWeight: 500, overflowWrap: "anywhere" }}>{card.title}</Box>
      </Box>
    ) : (
      <span />
    );
  return (
    <Box
      component="nav"
      aria-label="前后篇"
      sx={{ mt: 6, display: "grid", gap: 2, gridTemplateColumns: { xs: "1fr", sm: "1fr 1fr" } }}
    >
      {entry("上一篇", previous, false)}
      {entry("下一篇", next, true)}
    </Box>
  );
}

export function Related({
  cards,
  title = "相关内容",
}: {
  cards: readonly ContentContentCard[];
  title?: string;
}) {
  if (cards.length === 0) return null;
  return (
    <Box component="section" aria-label={title} sx={{ mt: { xs: 6, md: 9 } }}>
      <Box component="h2" sx={{ m: 0, mb: 3, fontSize: 24, lineHeight: "34px", fontWeight: 600 }}>
        {title}
      </Box>
      <CardGrid cards={cards} label={title} />
    </Box>
  );
}

/** Articles with fewer headings have no table of contents. */
const LISTED_FROM = 3;

/** Lays out an article between `beside` on its left and its table of contents. */
export function Reading({
  beside,
  blocks,
  children,
}: {
  beside?: ReactNode;
  blocks: readonly Block[];
  children: (contents: ReactNode) => ReactNode;
}) {
  const headings: readonly Heading[] = headingsOf(blocks);
  const listed = headings.length >= LISTED_FROM;
  return (
    <Box
      sx={{
        display: "grid",
        columnGap: { md: 5, lg: 7 },
        alignItems: "start",
        gridTemplateColumns: {
          xs: "minmax(0,1fr)",
          md: beside ? "220px minmax(0,1fr)" : "minmax(0,1fr)",
          lg: `${beside ? "220px " : ""}minmax(0, ${beside ? "1fr" : "760px"}) ${listed ? "220px" : ""}`,
        },
        justifyContent: "center",
      }}
    >
      {beside && (
        <Box sx={{ display: { xs: "none", md: "block" }, position: "sticky", top: 96 }}>{beside}</Box>
      )}
      <Box component="article" sx={{ minWidth: 0 }}>
        {children(
          listed && (
            <Box sx={{ display: { lg: "none" } }}>
              <ContentsAbove headings={headings} />
            </Box>
          ),
        )}
      </Box>
      {listed && (
        <Box sx={{ display: { xs: "none", lg: "block" }, height: "100%" }}>
          <ContentsBeside headings={headings} />
        </Box>
      )}
    </Box>
  );
}

/** Default layout of an article: breadcrumbs, heading, contents, body, neighbours, related. */
export function PlainArticle({
  kind,
  shown,
  beside,
}: {
  kind: Kind;
  shown: ShownArticle;
  beside?: ReactNode;
}) {
  const { article, card, blocks } = shown;
  return (
    <Column>
      <Reading blocks={blocks} beside={beside}>
        {(contents) => (
          <>
            <ArticleHead kind={kind} article={article} card={card} />
            {contents}
            <Box sx={{ mt: 2 }}>
              <Blocks blocks={blocks} />
            </Box>
            <Neighbours article={article} />
          </>
        )}
      </Reading>
      <Related cards={article.related} />
    </Column>
  );
}
