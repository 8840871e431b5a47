import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import { useMemo, useRef, useState } from "react";
import { Link, useSearchParams } from "react-router";
import {
  useCommentListQuery,
  useDetailPageRecommendQuery,
  useOtherWorksQuery,
  useWorkDetailQuery,
  type WorksWorkCard,
  type WorksWorkDetailReply,
} from "@/calls/works";
import { worksOf } from "@/lib/paths";
import { EmptyState } from "@/ui/EmptyState";
import { useCanonical, useTitle } from "@/ui/useTitle";
import { Part, Wide } from "@/ui/Wide";
import type { StageHandle } from "@/viewer";
import { About } from "./About";
import { COMMENTS_PAGE, Comments, type Placing } from "./Comments";
import { DetailStage } from "./DetailStage";
import { type Place, pinsOf } from "./pins";
import { useLooked } from "./useLooked";
import { makerOf, WorkCards } from "./WorkCard";
import { CLASSIFY, HOME, typeName, workPath } from "./words";

const NEIGHBOURS = 8;

/** One work: of type 1 by `id`, of other types by `worksId`. */
export function DetailPage() {
  const [query] = useSearchParams();
  const id = query.get("id")?.slice(0, 64) ?? "";
  const worksId = query.get("worksId")?.slice(0, 64) ?? "";
  const key = worksId || id;
  const { currentData, isError, refetch } = useWorkDetailQuery(worksId ? { worksId } : { id }, {
    skip: !key,
    refetchOnMountOrArgChange: true,
  });
  useTitle(currentData?.card.name);
  useCanonical(currentData && workPath(currentData.card));
  if (!key || (isError && !currentData)) return <Gone onRetry={key ? () => void refetch() : undefined} />;
  return <Wide>{currentData ? <Loaded key={currentData.card.id} detail={currentData} /> : <Waiting />}</Wide>;
}

function Gone({ onRetry }: { onRetry?: () => void }) {
  return (
    <EmptyState
      heading="h1"
      kind="search"
      title="没有看到这个作品"
      hint="它可能已被撤下或设为私密，或网络中断。"
      action={
        <>
          {onRetry && <Button onClick={onRetry}>重试</Button>}
          <Button component={Link} to={HOME} variant="contained">
            去看其他作品
          </Button>
        </>
      }
    />
  );
}

const COLUMNS = {
  display: "grid",
  gap: { xs: 3, md: 4 },
  gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "minmax(0, 1fr) 340px" },
  alignItems: "start",
} as const;

function Waiting() {
  return (
    <Box role="status" aria-label="正在读取作品" sx={{ ...COLUMNS, minHeight: "100vh" }}>
      <Skeleton
        variant="rectangular"
        sx={{ height: "auto", aspectRatio: { xs: "1", sm: "4 / 3" }, borderRadius: 2, mt: 4 }}
      />
      <Box sx={{ minHeight: 480, mt: 4 }}>
        <Skeleton variant="text" sx={{ fontSize: 24, width: "70%" }} />
        <Skeleton variant="text" sx={{ width: "90%" }} />
        <Skeleton variant="text" sx={{ fontSize: 32, width: "40%", mt: 2 }} />
      </Box>
    </Box>
  );
}

function Loaded({ detail }: { detail: WorksWorkDetailReply }) {
  const { card, model } = detail;
  const worksId = card.id;
  const [pageNo, setPage] = useState(1);
  const [chosen, setChosen] = useState<string>();
  const [active, setActive] = useState(false);
  const [place, setPlace] = useState<Place>();
  const stage = useRef<StageHandle>(undefined);
  const top = useRef<HTMLDivElement>(null);
  const looked = useLooked(worksId);
  const comments = useCommentListQuery({ worksId, pageNo, pageSize: COMMENTS_PAGE }).currentData;
  const pins = useMemo(() => pinsOf(comments?.results ?? [], model?.bundle), [comments, model?.bundle]);
  const toStage = () => top.current?.scrollIntoView({ block: "start" });
  const placing: Placing = {
    active,
    place,
    start: () => {
      setActive(true);
      toStage();
    },
    clear: () => {
      setActive(false);
      setPlace(undefined);
    },
  };
  return (
    <>
      <Crumbs card={card} />
      <Box sx={COLUMNS}>
        <Box ref={top} sx={{ minWidth: 0, scrollMarginTop: 88 }}>
          <DetailStage
            detail={detail}
            pins={pins}
            chosen={chosen}
            placing={placing}
            onChoose={setChosen}
            onPlace={(next) => {
              setPlace(next);
              setActive(false);
            }}
            onReady={(ready) => {
              stage.current = ready;
              if (detail.state === "published") looked();
            }}
          />
          {card.description && (
            <Box component="section" aria-label="介绍" sx={{ mt: 4 }}>
              <Box component="h2" sx={{ m: 0, mb: 1.5, fontSize: 18, lineHeight: "26px", fontWeight: 600 }}>
                介绍
              </Box>
              <Box sx={{ lineHeight: "26px", whiteSpace: "pre-line", overflowWrap: "anywhere" }}>
                {card.description}
              </Box>
            </Box>
          )}
          <Comments
            worksId={worksId}
            allowed={detail.commentsAllowed}
            bundle={model?.modelUrl ? model.bundle : undefined}
            pageNo={pageNo}
            chosen={chosen}
            placing={placing}
            onPage={setPage}
            onView={(commentId, view) => {
              setChosen(commentId);
              stage.current?.goToView(view);
              toStage();
            }}
          />
        </Box>
        <About detail={detail} />
      </Box>
      <Neighbours card={card} />
    </>
  );
}

function Crumbs({ card }: { card: WorksWorkCard }) {
  const crumb = (to: string, text: string) => (
    <Box component={Link} to={to} sx={{ color: "inherit", "&:hover": { color: "primary.main" } }}>
      {text}
    </Box>
  );
  return (
    <Box
      component="nav"
      aria-label="所在分类"
      sx={{ height: 32, fontSize: 13, color: "text.secondary", overflow: "hidden", whiteSpace: "nowrap" }}
    >
      {crumb(HOME, "作品")}
      {" / "}
      {card.categoryName
        ? crumb(`${CLASSIFY}?category=${encodeURIComponent(card.categoryId)}`, card.categoryName)
        : typeName(card.type)}
    </Box>
  );
}

/** Nothing if there are no other works or the calls failed: the section is optional. */
function Neighbours({ card }: { card: WorksWorkCard }) {
  const asked = { worksId: card.id, size: NEIGHBOURS };
  const { data: others } = useOtherWorksQuery(asked);
  const { data: like } = useDetailPageRecommendQuery(asked);
  return (
    <>
      {others && others.length > 0 && (
        <Part title={`${makerOf(card)}的其他作品`} more={worksOf(card.userId)}>
          <WorkCards cards={others} label="作者的其他作品" />
        </Part>
      )}
      {like && like.length > 0 && (
        <Part title="相似的作品">
          <WorkCards cards={like} label="相似的作品" />
        </Part>
      )}
    </>
  );
}
