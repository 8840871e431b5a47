import Box from "@mui/material/Box";
import { type TransactionListingShowReply, useCategoryListQuery } from "../../api/generated/transaction";
import { wordOf } from "../../kit/choices";
import { shown } from "../../kit/format";
import { Nothing } from "../../kit/states";
import { categoryName, ORIGINS } from "./words";

/** What a version under review changes of a listed model: each text as the mall shows it now, and as it would. */
export function Changes({ found }: { found: TransactionListingShowReply }) {
  const categories = useCategoryListQuery({}).data?.categories ?? [];
  const { approved: now, versions, item } = found;
  if (!now) return null;
  const next = item.listing;
  const version = versions.find(({ number }) => number === item.reviewedVersion);
  const rows = [
    ["名称", now.name, next.name],
    ["分类", categoryName(categories, now.categoryId), categoryName(categories, next.categoryId)],
    ["来源", wordOf(ORIGINS, now.origin).text, wordOf(ORIGINS, next.origin).text],
    ["一句话介绍", now.intro, next.intro],
    ["详细说明", now.description, found.description],
  ].filter(([, before, after]) => before !== after);
  const labels = [now.labelNames, found.labelNames].map((names) => [...names].sort().join("、"));
  if (labels[0] !== labels[1]) rows.push(["标签", ...labels]);
  if (version && !version.textsOnly) rows.unshift(["模型文件", "在售版本的文件", "新文件"]);
  if (rows.length === 0) return <Nothing title="与在售内容相同" />;
  return (
    <Box component="dl" sx={{ m: 0, display: "grid", gap: 1.5, fontSize: 13, lineHeight: "22px" }}>
      {rows.map(([name = "", before = "", after = ""]) => (
        <Box key={name} sx={{ minWidth: 0 }}>
          <Box component="dt" sx={{ color: "text.secondary" }}>
            {name}
          </Box>
          <Box component="dd" sx={{ m: 0, ...WRAPPED }}>
            <Box component="del" sx={{ color: "text.secondary" }}>
              {shown(before)}
            </Box>
          </Box>
          <Box component="dd" sx={{ m: 0, ...WRAPPED }}>
            <Box component="ins" sx={{ textDecoration: "none", fontWeight: 500 }}>
              {shown(after)}
            </Box>
          </Box>
        </Box>
      ))}
    </Box>
  );
}

const WRAPPED = { overflowWrap: "anywhere", whiteSpace: "pre-line", unicodeBidi: "isolate" } as const;
