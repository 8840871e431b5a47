import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { Link, useNavigate, useSearchParams } from "react-router";
import { getConfig } from "@/api/config";
import { useContentSearchQuery } from "@/calls/content";
import { Column, Hits, Lead, MOST_OF_KEYWORD, SearchField } from "@/features/article";
import { EmptyState } from "@/ui/EmptyState";
import { ListPage } from "@/ui/list";
import { LinesSkeleton } from "@/ui/Skeletons";
import { useTitle } from "@/ui/useTitle";
import { resultsPath } from "./useHelp";

const PAGE = 20;

/** Help articles that contain a keyword. */
export function HelpResults({ keyword: asked }: { keyword: string }) {
  const keyword = asked.slice(0, MOST_OF_KEYWORD);
  const navigate = useNavigate();
  const [query, setQuery] = useSearchParams();
  const page = Math.max(1, Number(query.get("page")) || 1);
  const results = useContentSearchQuery({ keyword, kind: "help", pageNo: page, pageSize: PAGE });
  const found = results.currentData;
  useTitle(`${keyword} - 帮助中心`);
  return (
    <Column>
      <Lead title="帮助中心" />
      <SearchField
        label="搜索帮助"
        placeholder="搜一句提示，或一个词"
        keyword={keyword}
        onSearch={(word) => navigate(resultsPath(word))}
      />
      <Box role="status" sx={{ mt: 2, minHeight: 22, fontSize: 13, color: "text.secondary" }}>
        {found &&
          (found.partial
            ? `没有文章包含全部的词，下面 ${found.totalCount} 篇与之相近`
            : `找到 ${found.totalCount} 篇`)}
      </Box>
      <ListPage
        what="搜索结果"
        query={results}
        list={{ page, pageSize: PAGE, setPage: (next) => setQuery({ keyword, page: String(next) }) }}
        skeleton={
          <Box sx={{ mt: 2 }}>
            <LinesSkeleton lines={12} />
          </Box>
        }
        empty={<Nothing keyword={keyword} />}
      >
        {(hits) => <Hits hits={hits} keyword={keyword} />}
      </ListPage>
    </Column>
  );
}

function Nothing({ keyword }: { keyword: string }) {
  const { hotline, contact } = getConfig();
  const ways = [hotline && `拨打 ${hotline}`, contact.email && `写信到 ${contact.email}`].filter(Boolean);
  return (
    <EmptyState
      kind="search"
      title={`没有找到与“${keyword}”相关的帮助`}
      hint={["换一个更短的词试试", ...ways].join("，或")}
      action={
        <>
          <Button component={Link} to="/helpCenter" variant="contained">
            看全部帮助
          </Button>
          <Button
            component={Link}
            to={`/common/search?keyword=${encodeURIComponent(keyword)}`}
            variant="outlined"
          >
            搜索全站
          </Button>
        </>
      }
    />
  );
}
