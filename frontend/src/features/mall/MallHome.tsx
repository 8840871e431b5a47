import Box from "@mui/material/Box";
import Skeleton from "@mui/material/Skeleton";
import { Link } from "react-router";
import {
  type TransactionMallCategory,
  type TransactionModelListRequest,
  useModelListQuery,
  useNewQuantitiesQuery,
  useTransactionLabelCateQuery,
} from "@/calls/transaction";
import { CardsWaiting } from "@/ui/CardGrid";
import { EmptyState } from "@/ui/EmptyState";
import { shortCount } from "@/ui/numbers";
import { ReadFailed } from "@/ui/ReadFailed";
import { Part, Wide } from "@/ui/Wide";
import { searchPath } from "./address";
import { Cards } from "./MallCard";
import { SearchBox } from "./SearchBox";

const SHELF = 8;

/** The mall's first page: 24 models on three shelves, with links to the others. */
export function MallHome() {
  const { data: fresh } = useNewQuantitiesQuery({});
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
            先看清，再下载
          </Box>
          <Box component="p" sx={{ m: 0, color: "text.secondary" }}>
            每个模型都经过体检：面数、贴图、网格问题，购买前一一列出。
          </Box>
          <SearchBox />
          <Categories />
        </Box>
      </Box>
      <Wide>
        <Box sx={{ mt: { xs: -4, md: -6 } }}>
          <Shelf
            title="新品上架"
            note={fresh && `今天 ${shortCount(fresh.today)} 个，近 7 天 ${shortCount(fresh.week)} 个`}
            request={{ sort: "newest" }}
            more="sort=newest"
            eager={4}
          />
          <Shelf
            title="热门模型"
            note="按付费销量排列"
            request={{ free: "false", sort: "sales" }}
            more="sort=sales"
          />
          <Shelf title="免费模型" request={{ free: "true", sort: "rating" }} more="price=0-1&sort=rating" />
        </Box>
      </Wide>
    </>
  );
}

/** First-level categories; the row keeps its height while they load. */
function Categories() {
  const { data, isError } = useTransactionLabelCateQuery({});
  const some = data?.filter(({ count }) => count > 0);
  if (isError || some?.length === 0) return null;
  return (
    <Box
      component="nav"
      aria-label="模型分类"
      sx={{ display: "flex", gap: 1, height: 36, overflowX: "auto", scrollbarWidth: "none" }}
    >
      {some
        ? some.map((category) => <Category key={category.id} category={category} />)
        : [0, 1, 2, 3, 4].map((key) => (
            <Skeleton key={key} variant="rounded" width={104} height={36} sx={{ flex: "none" }} />
          ))}
    </Box>
  );
}

function Category({ category }: { category: TransactionMallCategory }) {
  return (
    <Box
      component={Link}
      to={searchPath("", `category=${encodeURIComponent(category.id)}`)}
      sx={{
        flex: "none",
        display: "inline-flex",
        alignItems: "center",
        gap: 1,
        px: 1.5,
        border: 1,
        borderColor: "divider",
        borderRadius: 1,
        color: "text.primary",
        textDecoration: "none",
        "&:hover": { borderColor: "primary.main", color: "primary.main" },
      }}
    >
      {category.name}
      <Box
        component="span"
        sx={{ fontSize: 12, color: "text.secondary", fontVariantNumeric: "tabular-nums" }}
      >
        {shortCount(category.count)}
      </Box>
    </Box>
  );
}

function Shelf({
  title,
  note,
  request,
  more,
  eager,
}: {
  title: string;
  note?: string;
  request: TransactionModelListRequest;
  more: string;
  eager?: number;
}) {
  const { data, isError, refetch } = useModelListQuery({ ...request, pageNo: 1, pageSize: SHELF });
  return (
    <Part title={title} note={note} more={searchPath("", more)}>
      {isError && <ReadFailed dense what={title} onRetry={() => void refetch()} />}
      {!isError && !data && <CardsWaiting facts count={SHELF} />}
      {!isError && data?.results.length === 0 && (
        <EmptyState dense kind="models" title="这里还没有模型" hint="有新模型上架时会出现在这里。" />
      )}
      {!isError && data && data.results.length > 0 && (
        <Cards listings={data.results} label={title} eager={eager} />
      )}
    </Part>
  );
}
