import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { Link, useNavigate, useSearchParams } from "react-router";
import {
  type ContentContentKindCount,
  type ContentContentSearchReply,
  useContentSearchQuery,
} from "@/calls/content";
import { type TransactionModelListReply, useModelListQuery } from "@/calls/transaction";
import { Column, Hits, KINDS, type Kind, Lead, SearchField } from "@/features/article";
import { Cards, searchPath } from "@/features/mall";
import { CardsWaiting } from "@/ui/CardGrid";
import { EmptyState } from "@/ui/EmptyState";
import { LinkTabs } from "@/ui/LinkTabs";
import { ListPage, type ListQuery } from "@/ui/list";
import { LinesSkeleton } from "@/ui/Skeletons";
import { useTitle } from "@/ui/useTitle";
import { keywordOf, pageOf, searchAddress, type Tab, tabOf } from "./address";

const PAGE = 20;
const MODELS = 24;

/** Search of the whole site: articles by kind, and the mall's models. */
export function SiteSearch() {
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const keyword = keywordOf(query);
  useTitle(keyword && `搜索：${keyword}`);
  return (
    <Column>
      <meta name="robots" content="noindex" />
      <Lead title="搜索" />
      <SearchField
        label="搜索全站"
        placeholder="帮助、案例、新闻、模型"
        keyword={keyword}
        onSearch={(word) => navigate(searchAddress(word))}
      />
      {keyword ? <Found keyword={keyword} tab={tabOf(query)} page={pageOf(query)} /> : <Begin />}
    </Column>
  );
}

function Begin() {
  const ways = [
    { to: "/helpCenter", title: "帮助中心", note: "按要做的事查" },
    { to: "/transaction", title: "模型商城", note: "按分类与格式找模型" },
    { to: "/case", title: "案例中心", note: "看同行业怎样做" },
    { to: "/siteMap", title: "网站地图", note: "全部页面" },
  ];
  return (
    <Box
      sx={{ mt: 5, display: "grid", gap: 2, gridTemplateColumns: "repeat(auto-fill, minmax(220px, 1fr))" }}
    >
      {ways.map(({ to, title, note }) => (
        <Box
          key={to}
          component={Link}
          to={to}
          sx={{
            p: 2.5,
            border: 1,
            borderColor: "divider",
            borderRadius: 2,
            color: "text.primary",
            textDecoration: "none",
            "&:hover": { borderColor: "primary.main" },
          }}
        >
          <Box sx={{ fontWeight: 500 }}>{title}</Box>
          <Box sx={{ mt: 0.5, fontSize: 13, color: "text.secondary" }}>{note}</Box>
        </Box>
      ))}
    </Box>
  );
}

interface FoundProps {
  keyword: string;
  tab: Tab;
  page: number;
}

function Found({ keyword, tab, page }: FoundProps) {
  // Both are requested in any tab: the tabs show the counts.
  const texts = useContentSearchQuery({
    keyword,
    kind: tab === "model" ? "" : tab,
    pageNo: tab === "model" ? 1 : page,
    pageSize: PAGE,
  });
  const models = useModelListQuery({
    keyword,
    pageNo: tab === "model" ? page : 1,
    pageSize: MODELS,
  });
  const counts = texts.data?.counts ?? [];
  const modelCount = models.currentData?.totalCount ?? 0;
  return (
    <Box sx={{ mt: 3 }}>
      <Box sx={{ minHeight: 44 }}>
        <LinkTabs label="搜索范围" current={tab} tabs={tabsOf(keyword, tab, counts, modelCount)} />
      </Box>
      <Box sx={{ minHeight: "60vh" }}>
        {tab === "model" ? (
          <Models keyword={keyword} page={page} query={models} />
        ) : (
          <Texts keyword={keyword} tab={tab} page={page} query={texts} models={modelCount} />
        )}
      </Box>
    </Box>
  );
}

function tabsOf(keyword: string, tab: Tab, counts: readonly ContentContentKindCount[], models: number) {
  const of = (kind: string) => counts.find((one) => one.kind === kind)?.count ?? 0;
  const all = counts.reduce((sum, { count }) => sum + count, 0);
  const kinds = (Object.keys(KINDS) as Kind[]).filter((kind) => of(kind) > 0 || kind === tab);
  return [
    { id: "", text: "全部文章", to: searchAddress(keyword), count: all },
    ...kinds.map((kind) => ({
      id: kind,
      text: KINDS[kind].title,
      to: searchAddress(keyword, kind),
      count: of(kind),
    })),
    { id: "model", text: "模型", to: searchAddress(keyword, "model"), count: models },
  ];
}

function Told({ children }: { children: React.ReactNode }) {
  return (
    <Box role="status" sx={{ my: 2, minHeight: 22, fontSize: 13, color: "text.secondary" }}>
      {children}
    </Box>
  );
}

function Texts({
  keyword,
  tab,
  page,
  query,
  models,
}: FoundProps & { query: ListQuery<ContentContentSearchReply>; models: number }) {
  const { totalCount = 0, partial } = query.currentData ?? {};
  const summary = partial ? `没有文章包含全部的词，下面 ${totalCount} 篇与之相近` : `找到 ${totalCount} 篇`;
  return (
    <ListPage
      what="文章的搜索结果"
      query={query}
      list={usePages(keyword, tab, page, PAGE)}
      above={<Told>{totalCount > 0 && summary}</Told>}
      skeleton={<LinesSkeleton lines={14} />}
      empty={<Nothing keyword={keyword} models={models} />}
    >
      {(hits) => <Hits hits={hits} keyword={keyword} />}
    </ListPage>
  );
}

function Models({
  keyword,
  page,
  query,
}: Omit<FoundProps, "tab"> & { query: ListQuery<TransactionModelListReply> }) {
  const count = query.currentData?.totalCount ?? 0;
  const summary = (
    <>
      {`找到 ${count} 个模型，`}
      <Box component={Link} to={searchPath(keyword)} sx={{ color: "primary.main" }}>
        到商城里按格式、价格筛选
      </Box>
    </>
  );
  return (
    <ListPage
      what="模型的搜索结果"
      query={query}
      list={usePages(keyword, "model", page, MODELS)}
      above={<Told>{count > 0 && summary}</Told>}
      skeleton={<CardsWaiting count={8} />}
      empty={<Nothing keyword={keyword} models={0} />}
    >
      {(listings) => <Cards listings={listings} label="模型" />}
    </ListPage>
  );
}

/** Each page of a search gets a history entry. */
function usePages(keyword: string, tab: Tab, page: number, pageSize: number) {
  const navigate = useNavigate();
  return { page, pageSize, setPage: (next: number) => navigate(searchAddress(keyword, tab, next)) };
}

function Nothing({ keyword, models }: { keyword: string; models: number }) {
  return (
    <EmptyState
      kind="search"
      title={`没有找到与“${keyword}”相关的内容`}
      hint={models > 0 ? `商城里有 ${models} 个相关的模型。` : "换一个更短、更常见的说法试试。"}
      action={
        <>
          <Button
            component={Link}
            to={models > 0 ? searchAddress(keyword, "model") : "/helpCenter"}
            variant="contained"
          >
            {models > 0 ? "看这些模型" : "看全部帮助"}
          </Button>
          <Button component={Link} to="/siteMap" variant="outlined" color="inherit">
            网站地图
          </Button>
        </>
      }
    />
  );
}
