import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import MenuItem from "@mui/material/MenuItem";
import Pagination from "@mui/material/Pagination";
import PaginationItem from "@mui/material/PaginationItem";
import Select from "@mui/material/Select";
import { useRef } from "react";
import { Link, Navigate, useNavigate, useParams, useSearchParams } from "react-router";
import {
  type TransactionModelListReply,
  useModelListQuery,
  useTransactionLabelCateQuery,
} from "@/calls/transaction";
import { headerHeight } from "@/theme";
import { CardsWaiting } from "@/ui/CardGrid";
import { EmptyState } from "@/ui/EmptyState";
import { ReadFailed } from "@/ui/ReadFailed";
import { LinesSkeleton } from "@/ui/Skeletons";
import { useTitle } from "@/ui/useTitle";
import { Wide } from "@/ui/Wide";
import {
  cleared,
  isNarrowed,
  PAGE_SIZE,
  pageOf,
  pagesOf,
  requestOf,
  SORTS,
  searchPath,
  sortOf,
  withPage,
  withSort,
} from "./address";
import { ChosenFacets, FacetDrawer, FacetList } from "./Facets";
import { Cards } from "./MallCard";
import { SearchBox } from "./SearchBox";

/** Models by keyword and filters, all stored in the address, so that the browser's back restores them. */
export function SearchPage() {
  const { keyWord = "" } = useParams();
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const { data, currentData, isFetching, isError, refetch } = useModelListQuery(requestOf(keyWord, query));
  useTitle(keyWord && `${keyWord} - 搜索模型`);
  const { isLoading: growing } = useTransactionLabelCateQuery({});
  const head = useRef<HTMLDivElement>(null);
  const onQuery = (next: URLSearchParams) => {
    navigate(searchPath(keyWord, next), { preventScrollReset: true });
    const top = head.current?.getBoundingClientRect().top ?? 0;
    // What was chosen changes what is out of sight above.
    if (top < headerHeight) head.current?.scrollIntoView({ block: "start" });
  };
  const facets = data?.facets ?? [];
  // Models have left the mall since the address was stored.
  const last = currentData && pagesOf(currentData.totalCount);
  const beyond = last !== undefined && last > 0 && pageOf(query) > last;

  return (
    <Wide>
      {beyond && <Navigate replace to={searchPath(keyWord, withPage(query, last))} />}
      <SearchBox keyword={keyWord} rest={withPage(query, 1).toString()} />
      <Box sx={{ display: "flex", gap: 4, mt: 3, alignItems: "flex-start" }}>
        <Box
          component="aside"
          aria-label="筛选"
          sx={{
            display: { xs: "none", md: "block" },
            flex: "none",
            width: 216,
            // Beside the results, with a scroll of its own: a choice far down has them in sight.
            position: "sticky",
            top: headerHeight + 16,
            maxHeight: `calc(100vh - ${headerHeight + 32}px)`,
            overflow: "hidden auto",
            scrollbarWidth: "thin",
            mx: -1,
            px: 1,
          }}
        >
          {(!data || growing) && !isError && <LinesSkeleton lines={16} />}
          {!growing && <FacetList facets={facets} query={query} onQuery={onQuery} />}
        </Box>
        <Box sx={{ flex: 1, minWidth: 0, minHeight: "100vh" }}>
          <Box
            ref={head}
            sx={{
              display: "flex",
              flexWrap: "wrap",
              alignItems: "center",
              gap: 1.5,
              mb: 2,
              minHeight: 40,
              scrollMarginTop: headerHeight + 16,
            }}
          >
            <Box sx={{ flex: 1, minWidth: 0 }}>
              <Box
                component="h1"
                title={keyWord || undefined}
                sx={{
                  m: 0,
                  fontSize: 20,
                  lineHeight: "28px",
                  fontWeight: 600,
                  overflowWrap: "anywhere",
                  display: "-webkit-box",
                  WebkitBoxOrient: "vertical",
                  WebkitLineClamp: 2,
                  overflow: "hidden",
                }}
              >
                {keyWord || "全部模型"}
              </Box>
              <Box
                role="status"
                sx={{ minHeight: 20, fontSize: 12, lineHeight: "20px", color: "text.secondary" }}
              >
                {data && !isError && `${data.totalCount.toLocaleString("zh-CN")} 个模型`}
              </Box>
            </Box>
            <Box sx={{ display: { md: "none" } }}>
              <FacetDrawer facets={facets} query={query} onQuery={onQuery} total={data?.totalCount} />
            </Box>
            <Select
              size="small"
              value={sortOf(query)}
              onChange={(event) => onQuery(withSort(query, event.target.value))}
              inputProps={{ "aria-label": "排序" }}
              sx={{ fontSize: 14, height: 36 }}
            >
              {SORTS.map((sort) => (
                <MenuItem key={sort.id} value={sort.id}>
                  {sort.text}
                </MenuItem>
              ))}
            </Select>
          </Box>
          {/* their names come with the response: until then the row keeps its height */}
          {data && <ChosenFacets facets={facets} query={query} onQuery={onQuery} />}
          {!data && isNarrowed(query) && <Box sx={{ height: 48 }} />}
          {isError && <ReadFailed what="模型" onRetry={() => void refetch()} />}
          {!isError && (!data || beyond) && <CardsWaiting facts count={PAGE_SIZE} />}
          {!isError && data && !beyond && (
            <Box
              aria-busy={isFetching}
              sx={{ opacity: isFetching ? 0.55 : 1, transition: "opacity 120ms ease-out" }}
            >
              <Found reply={data} keyword={keyWord} query={query} />
            </Box>
          )}
        </Box>
      </Box>
    </Wide>
  );
}

interface FoundProps {
  reply: TransactionModelListReply;
  keyword: string;
  query: URLSearchParams;
}

function Found({ reply, keyword, query }: FoundProps) {
  const pages = pagesOf(reply.totalCount);
  return (
    <>
      {reply.corrected && <Corrected reply={reply} keyword={keyword} query={query} />}
      {reply.results.length === 0 ? (
        <Nothing keyword={keyword} query={query} />
      ) : (
        <Cards listings={reply.results} label="搜索结果" eager={4} />
      )}
      {pages > 1 && (
        <Pagination
          count={pages}
          page={pageOf(query)}
          shape="rounded"
          siblingCount={1}
          renderItem={(item) => (
            <PaginationItem
              component={Link}
              to={searchPath(keyword, withPage(query, item.page ?? 1))}
              {...item}
            />
          )}
          sx={{ mt: 4, "& ul": { justifyContent: "center" } }}
        />
      )}
    </>
  );
}

/** What may have been meant; a word that finds nothing has its results there already. */
function Corrected({ reply: { corrected, results }, keyword, query }: FoundProps) {
  const found = results.length > 0;
  return (
    <Box sx={{ mb: 2, fontSize: 14, overflowWrap: "anywhere" }}>
      {found ? `没有找到“${keyword}”，以下是“` : "您是不是要找："}
      <Box
        component={Link}
        to={searchPath(corrected, found ? withPage(query, 1) : cleared(query))}
        sx={{ color: "primary.main" }}
      >
        {corrected}
      </Box>
      {found && "”的结果。"}
    </Box>
  );
}

function Nothing({ keyword, query }: Omit<FoundProps, "reply">) {
  const narrowed = isNarrowed(query);
  return (
    <EmptyState
      kind="search"
      title={keyword ? `没有找到与“${keyword}”相符的模型` : "没有相符的模型"}
      hint={narrowed ? "放宽筛选条件，或换一个说法再找。" : "换一个说法，或用拼音、简短的词再找。"}
      action={
        <>
          {narrowed && (
            <Button component={Link} to={searchPath(keyword, cleared(query))} variant="contained">
              清除筛选
            </Button>
          )}
          <Button component={Link} to="/transaction" variant="outlined">
            回到商城
          </Button>
        </>
      }
    />
  );
}
