import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import { Link, useSearchParams } from "react-router";
import {
  useCaseIndustryQuery,
  useHomepageRecommendQuery,
  useWorkListQuery,
  useWorksLabelCateQuery,
  type WorksWorkCategory,
} from "@/calls/works";
import { CardsWaiting } from "@/ui/CardGrid";
import { EmptyState } from "@/ui/EmptyState";
import { LinkTabs } from "@/ui/LinkTabs";
import { shortCount } from "@/ui/numbers";
import { ReadFailed } from "@/ui/ReadFailed";
import { Part, Wide } from "@/ui/Wide";
import { orderOf } from "./address";
import { SearchBox } from "./SearchBox";
import { WorkCards } from "./WorkCard";
import { CLASSIFY, HOME, MINE, ORDERS } from "./words";

const RECOMMENDED = 8;
const SHOWN = 12;

/** The gallery's first page: recommended works, all works by order, cases by industry. */
export function WorksHome() {
  return (
    <>
      <Box sx={{ borderBottom: 1, borderColor: "divider", backgroundColor: "background.paper" }}>
        <Box
          sx={{
            maxWidth: 1280,
            mx: "auto",
            px: { xs: 2, md: 2.5 },
            py: { xs: 3, md: 5 },
            display: "flex",
            flexDirection: "column",
            gap: 2,
          }}
        >
          <Box component="h1" sx={{ m: 0, fontSize: { xs: 24, md: 32 }, lineHeight: 1.3, fontWeight: 600 }}>
            打开就能转动的作品
          </Box>
          <Box component="p" sx={{ m: 0, color: "text.secondary" }}>
            作者布置好视角与光，在网页里直接看清每一处。
          </Box>
          <SearchBox />
          <Categories />
        </Box>
      </Box>
      <Wide>
        <Box sx={{ mt: { xs: -4, md: -6 } }}>
          <Recommended />
          <AllWorks />
          <Cases />
        </Box>
      </Wide>
    </>
  );
}

/** The row keeps its height while the categories load. */
function Categories() {
  const { data, isError } = useWorksLabelCateQuery({});
  if (isError || data?.length === 0) return null;
  return (
    <Box
      component="nav"
      aria-label="作品分类"
      sx={{ display: "flex", gap: 1, height: 36, overflowX: "auto", scrollbarWidth: "none" }}
    >
      {data
        ? data.map((one) => <Choice key={one.id} one={one} to={`${CLASSIFY}?category=${one.id}`} />)
        : [0, 1, 2, 3, 4].map((key) => (
            <Skeleton key={key} variant="rounded" width={104} height={36} sx={{ flex: "none" }} />
          ))}
    </Box>
  );
}

function Choice({ one, to }: { one: WorksWorkCategory; to: string }) {
  return (
    <Box
      component={Link}
      to={to}
      sx={{
        flex: "none",
        display: "inline-flex",
        alignItems: "center",
        gap: 1,
        px: 1.5,
        height: 36,
        border: 1,
        borderColor: "divider",
        borderRadius: 1,
        color: "text.primary",
        textDecoration: "none",
        backgroundColor: "background.paper",
        "&:hover": { borderColor: "primary.main", color: "primary.main" },
      }}
    >
      {one.name}
      <Box component="span" className="tabular" sx={{ fontSize: 12, color: "text.secondary" }}>
        {shortCount(one.count)}
      </Box>
    </Box>
  );
}

function Recommended() {
  const { data, isError, refetch } = useHomepageRecommendQuery({ size: RECOMMENDED });
  if (data?.length === 0) return null;
  return (
    <Part title="推荐作品">
      {isError && <ReadFailed dense what="推荐作品" onRetry={() => void refetch()} />}
      {!isError && !data && <CardsWaiting count={RECOMMENDED} what="作品" />}
      {!isError && data && <WorkCards cards={data} label="推荐作品" eager={4} />}
    </Part>
  );
}

function AllWorks() {
  const [query] = useSearchParams();
  const order = orderOf(query);
  const { data, isError, isFetching, refetch } = useWorkListQuery({ order, pageNo: 1, pageSize: SHOWN });
  const tabs = ORDERS.map(({ id, text }) => ({ id, text, to: id === "new" ? HOME : `${HOME}?order=${id}` }));
  return (
    <Part title="全部作品" more={order === "new" ? CLASSIFY : `${CLASSIFY}?order=${order}`}>
      <Box sx={{ mb: 2 }}>
        <LinkTabs label="排列" tabs={tabs} current={order} />
      </Box>
      {isError && <ReadFailed dense what="作品" onRetry={() => void refetch()} />}
      {!isError && !data && <CardsWaiting count={SHOWN} what="作品" />}
      {!isError && data?.results.length === 0 && (
        <EmptyState
          dense
          title="还没有公开的作品"
          hint="上传的模型体检通过后，可以布置好视角与光，发布成作品。"
          action={
            <Button component={Link} to={MINE} variant="contained">
              发布作品
            </Button>
          }
        />
      )}
      {!isError && data && data.results.length > 0 && (
        <Box
          aria-busy={isFetching}
          sx={{ opacity: isFetching ? 0.55 : 1, transition: "opacity 120ms ease-out" }}
        >
          <WorkCards cards={data.results} label="全部作品" />
        </Box>
      )}
    </Part>
  );
}

function Cases() {
  const { data } = useCaseIndustryQuery({});
  if (!data || data.length === 0) return null;
  return (
    <Part title="客户案例" note="按行业查看" more={`${CLASSIFY}?kind=case`}>
      <Box component="nav" aria-label="案例行业" sx={{ display: "flex", flexWrap: "wrap", gap: 1 }}>
        {data.map((one) => (
          <Choice key={one.id} one={one} to={`${CLASSIFY}?kind=case&industry=${one.id}`} />
        ))}
      </Box>
    </Part>
  );
}
