import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import { useRef } from "react";
import { Link, useNavigate, useSearchParams } from "react-router";
import { codeOf } from "@/api";
import {
  NOT_IN_MALL,
  type TransactionAuthor,
  type TransactionAuthorReply,
  type TransactionFacetBucket,
  type TransactionListing,
  useAuthorDetailQuery,
  useModelListQuery,
  useTransactionLabelCateQuery,
} from "@/calls/transaction";
import { Avatar } from "@/features/avatar";
import { FollowButton } from "@/features/concern";
import { worksOf } from "@/lib/paths";
import { calledBy } from "@/session";
import { CardsWaiting } from "@/ui/CardGrid";
import { CertifiedBadge, markOf } from "@/ui/CertifiedBadge";
import { EmptyState } from "@/ui/EmptyState";
import { ListPage } from "@/ui/list";
import { dayOf, shortCount } from "@/ui/numbers";
import { useTitle } from "@/ui/useTitle";
import { Part, Wide } from "@/ui/Wide";
import { PAGE_SIZE, pageOf, requestOf, searchPath, withPage } from "./address";
import { branchesOf } from "./categories";
import { starsText } from "./DetailParts";
import { Cards, MallCard } from "./MallCard";
import { makerKind } from "./words";

/** A maker and their listings. The address carries userId and type=2 (HD020). */
export function AuthorPage() {
  const [query] = useSearchParams();
  const authorId = query.get("userId")?.slice(0, 64) ?? "";
  return <AuthorView key={authorId} authorId={authorId} />;
}

/** `embedded`: shown within another page, which has a heading of its own. */
export function AuthorView({ authorId, embedded = false }: { authorId: string; embedded?: boolean }) {
  const { currentData, error, isError, refetch } = useAuthorDetailQuery({ authorId }, { skip: !authorId });
  useTitle(embedded ? undefined : currentData && `${calledBy(currentData.author.nickname, authorId)}的模型`);
  if (!authorId || isError) {
    const refused = !authorId || codeOf(error) === NOT_IN_MALL;
    return (
      <EmptyState
        heading={embedded ? "h2" : "h1"}
        kind="search"
        title={refused ? "作者暂时不可查看" : "作者没有读取成功"}
        hint={refused ? "账号可能已注销，或暂停展示。" : "请检查网络后重试。"}
        action={
          <>
            {!refused && <Button onClick={() => void refetch()}>重试</Button>}
            <Button component={Link} to="/transaction" variant="contained">
              去模型商城
            </Button>
          </>
        }
      />
    );
  }
  return (
    <>
      <Banner reply={currentData} embedded={embedded} />
      <Wide>
        <Box sx={{ mt: { xs: -4, md: -6 } }}>
          {currentData?.page?.introduction && <Introduction text={currentData.page.introduction} />}
          {currentData?.page && <Carousel listings={currentData.page.carousel} />}
          {currentData ? <Models authorId={authorId} /> : <ModelsWaiting authorId={authorId} />}
        </Box>
      </Wide>
    </>
  );
}

/** Dark enough for the text on them. */
const THEMES: Readonly<Record<string, string>> = {
  night: "linear-gradient(120deg,#0B1020 30%,#1A2F6B)",
  blue: "linear-gradient(120deg,#0A1F44 30%,#1450A3)",
  teal: "linear-gradient(120deg,#06231F 30%,#0F5C50)",
  plum: "linear-gradient(120deg,#1E0F2E 30%,#5A2A75)",
  amber: "linear-gradient(120deg,#24160A 30%,#70420F)",
};

/** What is known of an author; of whoever sells nothing, no figures. */
function factsOf(author: TransactionAuthor): string {
  if (author.models === 0 && author.uploaderType === 0) return "还没有上架模型";
  const facts = [
    makerKind(author.uploaderType),
    `${shortCount(author.models)} 个模型`,
    `售出 ${shortCount(author.sold)}`,
    starsText(author),
    author.since > 0 ? `${dayOf(author.since)} 首次上架` : "",
  ];
  return facts.filter(Boolean).join("　");
}

/** Of the categories of both levels, those of the upper one: their counts hold those below. None until the tree is known. */
function useUpper(all: readonly TransactionFacetBucket[] = []): readonly TransactionFacetBucket[] {
  const { data: tree = [], isLoading } = useTransactionLabelCateQuery({});
  if (isLoading) return [];
  return branchesOf(tree, all).map(({ bucket }) => bucket);
}

function Banner({ reply, embedded }: { reply: TransactionAuthorReply | undefined; embedded: boolean }) {
  const author = reply?.author;
  const page = reply?.page;
  const categories = useUpper(reply?.categories);
  const name = author && calledBy(author.nickname, author.authorId);
  return (
    <Box sx={{ background: THEMES[page?.theme ?? ""] ?? THEMES.night, color: "#E8ECF6" }}>
      <Box
        sx={{
          maxWidth: 1280,
          mx: "auto",
          px: { xs: 2, md: 2.5 },
          py: { xs: 3, md: 6 },
          minHeight: { xs: 312, sm: 184, md: 232 },
          boxSizing: "border-box",
          display: "flex",
          flexWrap: "wrap",
          alignItems: "center",
          gap: 2.5,
        }}
      >
        {author && name ? (
          <>
            <Avatar url={author.avatar} name={name} size={72} />
            <Box sx={{ flex: 1, minWidth: 200 }}>
              <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", columnGap: 1.5 }}>
                <Box
                  component={embedded ? "h2" : "h1"}
                  sx={{
                    m: 0,
                    fontSize: { xs: 22, md: 28 },
                    lineHeight: 1.3,
                    fontWeight: 600,
                    overflowWrap: "anywhere",
                  }}
                >
                  {name}
                </Box>
                <CertifiedBadge as={markOf(author.certified)} />
              </Box>
              {page?.slogan && (
                <Box sx={{ mt: 0.5, fontSize: 16, overflowWrap: "anywhere" }}>{page.slogan}</Box>
              )}
              <Box
                sx={{
                  mt: 0.5,
                  fontSize: 14,
                  color: page ? "#C9D1E3" : "#A3ADC2",
                  fontVariantNumeric: "tabular-nums",
                }}
              >
                {factsOf(author)}
              </Box>
              {reply.categories.length > 0 && (
                <Box sx={{ mt: 1.5, minHeight: 28, display: "flex", flexWrap: "wrap", gap: 1 }}>
                  {categories.map((category) => (
                    <Box
                      component={Link}
                      key={category.key}
                      to={searchPath(
                        "",
                        new URLSearchParams({ category: category.key, seller: author.authorId }),
                      )}
                      sx={{
                        px: 1.25,
                        lineHeight: "28px",
                        borderRadius: 1,
                        fontSize: 13,
                        color: "#E8ECF6",
                        textDecoration: "none",
                        backgroundColor: "rgba(255,255,255,.1)",
                        "&:hover": { backgroundColor: "rgba(255,255,255,.2)" },
                      }}
                    >
                      {`${category.name} ${shortCount(category.count)}`}
                    </Box>
                  ))}
                </Box>
              )}
            </Box>
            {page?.bannerUrl && (
              <Box
                component="img"
                src={page.bannerUrl}
                alt=""
                sx={{
                  width: { xs: "100%", sm: 180 },
                  height: 132,
                  objectFit: "cover",
                  borderRadius: 2,
                  border: "1px solid rgba(255,255,255,.2)",
                }}
              />
            )}
            {!embedded && (
              <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1 }}>
                <Button component={Link} to={worksOf(author.authorId)} sx={{ color: "#E8ECF6" }}>
                  查看作品
                </Button>
                <FollowButton targetId={author.authorId} />
              </Box>
            )}
          </>
        ) : (
          <>
            <Skeleton variant="circular" width={72} height={72} sx={{ bgcolor: "rgba(255,255,255,.12)" }} />
            <Skeleton variant="text" sx={{ width: 220, fontSize: 28, bgcolor: "rgba(255,255,255,.12)" }} />
          </>
        )}
      </Box>
    </Box>
  );
}

function Introduction({ text }: { text: string }) {
  return (
    <Part title="作者介绍">
      <Box sx={{ maxWidth: 860, whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>{text}</Box>
    </Part>
  );
}

/** A row that scrolls by hand or by its buttons, never by itself. */
function Carousel({ listings }: { listings: readonly TransactionListing[] }) {
  const row = useRef<HTMLUListElement>(null);
  if (listings.length === 0) return null;
  const turn = (by: -1 | 1) =>
    row.current?.scrollBy({ left: by * row.current.clientWidth * 0.8, behavior: "smooth" });
  return (
    <Part title="作者推荐">
      <Box
        component="ul"
        ref={row}
        aria-label="作者推荐"
        sx={{
          listStyle: "none",
          m: 0,
          p: 0,
          display: "flex",
          gap: 2,
          overflowX: "auto",
          scrollSnapType: "x mandatory",
          "& > li": {
            flex: "none",
            width: { xs: "60%", sm: 240 },
            minWidth: 0,
            scrollSnapAlign: "start",
          },
        }}
      >
        {listings.map((listing) => (
          <li key={listing.listingId}>
            <MallCard listing={listing} />
          </li>
        ))}
      </Box>
      <Box sx={{ mt: 1, display: "flex", gap: 1 }}>
        <Button size="small" onClick={() => turn(-1)}>
          上一组
        </Button>
        <Button size="small" onClick={() => turn(1)}>
          下一组
        </Button>
      </Box>
    </Part>
  );
}

/** The models are read with the author, and shown below what the author's page says. */
function ModelsWaiting({ authorId }: { authorId: string }) {
  const [query] = useSearchParams();
  useModelListQuery(modelsOf(authorId, pageOf(query)));
  return (
    <Part title="上架的模型">
      <CardsWaiting facts count={8} />
    </Part>
  );
}

const modelsOf = (authorId: string, page: number) =>
  requestOf("", new URLSearchParams({ seller: authorId, sort: "newest", page: String(page) }));

function Models({ authorId }: { authorId: string }) {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const page = pageOf(query);
  const models = useModelListQuery(modelsOf(authorId, page));
  const some = (models.data?.totalCount ?? 0) > 0;
  return (
    <Part
      title="上架的模型"
      more={some ? searchPath("", new URLSearchParams({ seller: authorId })) : undefined}
    >
      <ListPage
        what="模型"
        query={models}
        list={{
          page,
          pageSize: PAGE_SIZE,
          setPage: (next) => navigate({ search: `?${withPage(query, next)}` }),
        }}
        skeleton={<CardsWaiting facts count={8} />}
        empty={{ title: "还没有上架的模型" }}
      >
        {(rows) => <Cards listings={rows} label="上架的模型" eager={4} />}
      </ListPage>
    </Part>
  );
}
