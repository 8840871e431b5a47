import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import MenuItem from "@mui/material/MenuItem";
import Pagination from "@mui/material/Pagination";
import PaginationItem from "@mui/material/PaginationItem";
import Select from "@mui/material/Select";
import { Link, useNavigate, useSearchParams } from "react-router";
import {
  useCaseIndustryQuery,
  useWorkListQuery,
  useWorksLabelCateQuery,
  type WorksWorkPage,
} from "@/calls/works";
import { CardsWaiting } from "@/ui/CardGrid";
import { EmptyState } from "@/ui/EmptyState";
import { ReadFailed } from "@/ui/ReadFailed";
import { useTitle } from "@/ui/useTitle";
import { Wide } from "@/ui/Wide";
import { changed, FIELDS, LAST_PAGE, orderOf, PAGE_SIZE, pageOf, requestOf } from "./address";
import { SearchBox } from "./SearchBox";
import { makerOf, WorkCards } from "./WorkCard";
import { HOME, KINDS, ORDERS } from "./words";

/** Works by keyword and filters, all stored in the address, so that the browser's back restores them. */
export function ClassifyPage() {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const { data, isFetching, isError, refetch } = useWorkListQuery(requestOf(query));
  const categories = useWorksLabelCateQuery({}).data ?? [];
  const industries = useCaseIndustryQuery({}).data ?? [];
  const keyword = query.get("keyword") ?? "";
  const label = query.get("label") ?? "";
  const first = data?.results[0];
  const nameOf = (all: readonly { id: string; name: string }[], field: string) =>
    all.find(({ id }) => id === query.get(field))?.name;
  const title =
    (query.get("author") && (first ? `${makerOf(first)}的作品` : "作者的作品")) ||
    keyword ||
    label ||
    nameOf(categories, "category") ||
    nameOf(industries, "industry") ||
    KINDS.find(({ id }) => id === query.get("kind"))?.text ||
    "全部作品";
  useTitle(title === "全部作品" ? undefined : `${title} - 作品`);
  return (
    <Wide>
      <SearchBox query={query} />
      <Box sx={{ mt: 2, display: "grid", gap: 1 }}>
        <Choices label="类型" field="kind" query={query} choices={KINDS} />
        <Choices
          label="分类"
          field="category"
          query={query}
          choices={categories.map(({ id, name }) => ({ id, text: name }))}
        />
        <Choices
          label="行业"
          field="industry"
          query={query}
          choices={industries.map(({ id, name }) => ({ id, text: name }))}
        />
      </Box>
      <Box
        sx={{
          mt: 3,
          mb: 2,
          display: "flex",
          flexWrap: "wrap",
          alignItems: "center",
          gap: 1.5,
          minHeight: 40,
        }}
      >
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Box
            component="h1"
            sx={{ m: 0, fontSize: 20, lineHeight: "28px", fontWeight: 600, overflowWrap: "anywhere" }}
          >
            {title}
          </Box>
          <Box
            role="status"
            sx={{ minHeight: 20, fontSize: 12, lineHeight: "20px", color: "text.secondary" }}
          >
            {data && !isError && `${data.totalCount.toLocaleString("zh-CN")} 个作品`}
          </Box>
        </Box>
        <Select
          size="small"
          value={orderOf(query)}
          onChange={(event) =>
            void navigate(changed(query, { order: event.target.value === "new" ? "" : event.target.value }))
          }
          inputProps={{ "aria-label": "排列" }}
          sx={{ fontSize: 14, height: 36, bgcolor: "background.paper" }}
        >
          {ORDERS.map(({ id, text }) => (
            <MenuItem key={id} value={id}>
              {text}
            </MenuItem>
          ))}
        </Select>
      </Box>
      <Box sx={{ minHeight: "60vh" }}>
        {isError && <ReadFailed what="作品" onRetry={() => void refetch()} />}
        {!isError && !data && <CardsWaiting count={PAGE_SIZE} what="作品" />}
        {!isError && data && (
          <Box
            aria-busy={isFetching}
            sx={{ opacity: isFetching ? 0.55 : 1, transition: "opacity 120ms ease-out" }}
          >
            <Found page={data} query={query} />
          </Box>
        )}
      </Box>
    </Wide>
  );
}

/** A row of exclusive choices; nothing if there are none. */
function Choices({
  label,
  field,
  query,
  choices,
}: {
  label: string;
  field: string;
  query: URLSearchParams;
  choices: readonly { id: string; text: string }[];
}) {
  if (choices.length === 0) return null;
  const current = query.get(field) ?? "";
  return (
    <Box component="nav" aria-label={label} sx={{ display: "flex", gap: 1, minWidth: 0 }}>
      <Box sx={{ flex: "none", width: 40, lineHeight: "32px", fontSize: 13, color: "text.secondary" }}>
        {label}
      </Box>
      <Box
        sx={{
          display: "flex",
          gap: 0.5,
          minWidth: 0,
          flexWrap: { md: "wrap" },
          overflowX: "auto",
          scrollbarWidth: "none",
        }}
      >
        {[{ id: "", text: "全部" }, ...choices].map(({ id, text }) => {
          const here = id === current;
          return (
            <Box
              component={Link}
              key={id}
              to={changed(query, { [field]: id })}
              preventScrollReset
              aria-current={here ? "true" : undefined}
              sx={{
                flex: "none",
                px: 1.25,
                lineHeight: "32px",
                fontSize: 14,
                borderRadius: 1,
                textDecoration: "none",
                color: here ? "primary.dark" : "text.primary",
                fontWeight: here ? 600 : 400,
                backgroundColor: here ? (theme) => theme.tokens.primarySoft : undefined,
                "&:hover": { color: "primary.main" },
              }}
            >
              {text}
            </Box>
          );
        })}
      </Box>
    </Box>
  );
}

function Found({ page, query }: { page: WorksWorkPage; query: URLSearchParams }) {
  const pages = Math.min(Math.ceil(page.totalCount / PAGE_SIZE), LAST_PAGE);
  if (page.results.length === 0) {
    const narrowed = FIELDS.some((field) => query.get(field));
    return (
      <EmptyState
        kind="search"
        title="没有相符的作品"
        hint={narrowed ? "放宽条件，或换一个说法再找。" : "有新作品公开时会出现在这里。"}
        action={
          <>
            {narrowed && (
              <Button
                component={Link}
                to={changed(query, Object.fromEntries(FIELDS.map((field) => [field, ""])))}
                variant="contained"
              >
                清除条件
              </Button>
            )}
            <Button component={Link} to={HOME} variant="outlined">
              回到作品
            </Button>
          </>
        }
      />
    );
  }
  return (
    <>
      <WorkCards cards={page.results} label="作品" eager={4} />
      {pages > 1 && (
        <Pagination
          count={pages}
          page={pageOf(query)}
          shape="rounded"
          siblingCount={1}
          renderItem={(item) => (
            <PaginationItem
              component={Link}
              to={changed(query, { page: item.page && item.page > 1 ? String(item.page) : "" })}
              {...item}
            />
          )}
          sx={{ mt: 4, "& ul": { justifyContent: "center" } }}
        />
      )}
    </>
  );
}
