import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { Link } from "react-router";
import { useMyWorksQuery, type WorksMyWork } from "@/calls/works";
import { useSession } from "@/session";
import { CardGrid, CardsWaiting } from "@/ui/CardGrid";
import { EmptyState } from "@/ui/EmptyState";
import { ModelCard } from "@/ui/ModelCard";
import { shortCount } from "@/ui/numbers";
import { PageHeader } from "@/ui/PageHeader";
import { ReadFailed } from "@/ui/ReadFailed";
import { NewWork } from "./NewWork";
import { editPath, LIST, STATES, sharePath, stateWord } from "./words";

const LATEST = 8;

/** Overview of the user's works: counts by state, and the latest changed. */
export function MyWorks() {
  const { loginId } = useSession();
  const { data, isError, isFetching, refetch } = useMyWorksQuery(
    { userId: loginId, pageNo: 1, pageSize: LATEST },
    { refetchOnMountOrArgChange: true },
  );
  return (
    <>
      <PageHeader
        title="我的作品"
        note="由体检通过的源文件发布成作品，审核通过后别人就能看到"
        actions={
          <>
            <Button component={Link} to={LIST} variant="outlined" color="inherit">
              全部作品
            </Button>
            <Button component={Link} to={sharePath()} variant="outlined" color="inherit">
              我的分享
            </Button>
            <NewWork />
          </>
        }
      />
      <States counts={data?.counts} />
      {isError && !isFetching && <ReadFailed what="我的作品" onRetry={() => void refetch()} />}
      {!isError && !data && <CardsWaiting count={LATEST} what="作品" />}
      {data && data.results.length === 0 && (
        <EmptyState
          title="还没有作品"
          hint="选一个体检通过的源文件，布置好视角与光，填写介绍后提交审核。"
          action={
            <Button component={Link} to="/workbench/myUpload" variant="outlined">
              去我的上传
            </Button>
          }
        />
      )}
      {data && data.results.length > 0 && (
        <Box component="section" aria-label="最近修改">
          <Box component="h2" sx={{ m: 0, mb: 1.5, fontSize: 18, lineHeight: "26px", fontWeight: 600 }}>
            最近修改
          </Box>
          <CardGrid label="最近修改的作品">
            {data.results.map((work) => (
              <li key={work.card.id}>
                <OwnCard work={work} />
              </li>
            ))}
          </CardGrid>
        </Box>
      )}
    </>
  );
}

function OwnCard({ work: { card, state } }: { work: WorksMyWork }) {
  return (
    <ModelCard
      to={editPath(card.id)}
      name={card.name}
      picture={card.preview || card.pcPreview}
      turning={card.turntableUrl}
      badge={stateWord(state).text}
      note={card.categoryName || "未选分类"}
      foot={`${shortCount(card.browseNumber)} 浏览　${shortCount(card.likeNumber)} 赞`}
    />
  );
}

function States({ counts }: { counts: object | undefined }) {
  const known = counts as Record<string, number> | undefined;
  return (
    <Box
      component="ul"
      aria-label="按状态"
      sx={{
        listStyle: "none",
        m: 0,
        mb: 3,
        p: 0,
        display: "grid",
        gap: 1.5,
        gridTemplateColumns: { xs: "repeat(3, 1fr)", md: "repeat(6, 1fr)" },
      }}
    >
      {Object.entries(STATES).map(([state, { text }]) => (
        <li key={state}>
          <Box
            component={Link}
            to={`${LIST}?state=${state}`}
            sx={{
              display: "block",
              p: 2,
              border: 1,
              borderColor: "divider",
              borderRadius: 2,
              bgcolor: "background.paper",
              color: "text.primary",
              textDecoration: "none",
              "&:hover": { borderColor: "primary.main" },
            }}
          >
            <Box sx={{ fontSize: 13, color: "text.secondary" }}>{text}</Box>
            <Box className="tabular" sx={{ fontSize: 24, lineHeight: "32px", fontWeight: 600 }}>
              {known ? Number(known[state] ?? 0) : "—"}
            </Box>
          </Box>
        </li>
      ))}
    </Box>
  );
}
