import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { memo } from "react";
import { Link, useNavigate } from "react-router";
import { Column, Lead, SearchField } from "@/features/article";
import { EmptyState } from "@/ui/EmptyState";
import { ReadFailed } from "@/ui/ReadFailed";
import { useTitle } from "@/ui/useTitle";
import { groupPath, type HelpGroup, resultsPath, useHelpGroups } from "./useHelp";

/** Articles shown per group on the first page. */
const SHOWN = 6;

const GRID = {
  mt: { xs: 4, md: 6 },
  display: "grid",
  columnGap: 5,
  rowGap: { xs: 4, md: 6 },
  gridTemplateColumns: {
    xs: "minmax(0,1fr)",
    sm: "repeat(2, minmax(0,1fr))",
    lg: "repeat(4, minmax(0,1fr))",
  },
} as const;

/** All groups with their first articles, or one group in full. */
export function HelpHome({ category }: { category: string }) {
  const navigate = useNavigate();
  const { groups, ready, failed, retry } = useHelpGroups();
  const one = category
    ? groups.find((group) => [group.category.id, group.category.slug].includes(category))
    : undefined;
  useTitle(one && `${one.category.title} - 帮助中心`);
  return (
    <Column>
      <Lead title={one ? one.category.title : "帮助中心"}>
        {one ? one.category.summary : "按要做的事查找，或搜一句看到的提示。"}
      </Lead>
      <SearchField
        label="搜索帮助"
        placeholder="搜一句提示，或一个词"
        keyword=""
        onSearch={(word) => navigate(resultsPath(word))}
      />
      {failed && <ReadFailed what="帮助目录" onRetry={retry} />}
      {!failed && !ready && <Waiting />}
      {!failed && ready && category && !one && (
        <EmptyState
          kind="search"
          title="没有这个分类"
          hint="它可能已经改名或合并。"
          action={
            <Button component={Link} to="/helpCenter" variant="contained">
              看全部帮助
            </Button>
          }
        />
      )}
      {!failed && ready && !category && groups.length === 0 && (
        <EmptyState title="帮助还在编写" hint="有疑问可以用页面右侧的在线客服留言。" />
      )}
      {one && <Whole group={one} />}
      {!category && groups.length > 0 && (
        <>
          <Groups groups={groups} />
          <Courses />
        </>
      )}
    </Column>
  );
}

const ENTRY = {
  display: "block",
  py: 0.75,
  lineHeight: "24px",
  color: "text.primary",
  textDecoration: "none",
  "&:hover": { color: "primary.main" },
} as const;

/** One style for all groups: eighty styled elements took a phone longer than the rest of the page. */
const GROUPS = {
  ...GRID,
  "& section": { borderTop: 2, borderColor: "primary.main", pt: 2 },
  "& h2": { m: 0, fontSize: 18, lineHeight: "28px", fontWeight: 600 },
  "& h2 a": { color: "inherit", textDecoration: "none" },
  "& p": { m: 0, mt: 0.5, mb: 1, fontSize: 13, color: "text.secondary", minHeight: 40 },
  "& h2 ~ a": ENTRY,
  "& h2 ~ .all": { color: "primary.main" },
} as const;

const Groups = memo(function Groups({ groups }: { groups: readonly HelpGroup[] }) {
  return (
    <Box sx={GROUPS}>
      {groups.map((group) => (
        <Group key={group.category.id} group={group} />
      ))}
    </Box>
  );
});

function Group({ group: { category, cards } }: { group: HelpGroup }) {
  return (
    <section aria-label={category.title}>
      <h2>
        <Link to={groupPath(category)}>{category.title}</Link>
      </h2>
      <p>{category.summary}</p>
      {cards.slice(0, SHOWN).map((card) => (
        <Link key={card.id} to={card.path}>
          {card.title}
        </Link>
      ))}
      {cards.length > SHOWN && (
        <Link className="all" to={groupPath(category)}>
          {`全部 ${cards.length} 篇`}
        </Link>
      )}
    </section>
  );
}

function Whole({ group: { cards } }: { group: HelpGroup }) {
  return (
    <Box component="ul" sx={{ m: 0, mt: 4, p: 0, listStyle: "none" }}>
      {cards.map((card) => (
        <Box component="li" key={card.id} sx={{ borderTop: 1, borderColor: "divider" }}>
          <Box component={Link} to={card.path} sx={{ ...ENTRY, py: 2 }}>
            <Box sx={{ fontSize: 16, fontWeight: 500 }}>{card.title}</Box>
            <Box sx={{ color: "text.secondary" }}>{card.summary}</Box>
          </Box>
        </Box>
      ))}
    </Box>
  );
}

function Courses() {
  return (
    <Box
      sx={(theme) => ({
        mt: { xs: 5, md: 8 },
        p: { xs: 2.5, md: 4 },
        borderRadius: 2,
        display: "flex",
        flexWrap: "wrap",
        alignItems: "center",
        gap: 2,
        backgroundColor: theme.tokens.primarySoft,
      })}
    >
      <Box sx={{ flex: "1 1 300px" }}>
        <Box component="h2" sx={{ m: 0, fontSize: 20, lineHeight: "30px", fontWeight: 600 }}>
          想从头做一遍
        </Box>
        <Box sx={{ mt: 0.5 }}>教程分步讲解，步骤旁边是可以转动的模型。</Box>
      </Box>
      <Button component={Link} to="/helpCenter/teach" variant="contained">
        看全部教程
      </Button>
    </Box>
  );
}

/** A heading and five lines: distance from the top in pixels. */
const LINES = [20, 74, 114, 154, 194, 234];

/** Placeholders of the groups, one element each. */
const Waiting = memo(function Waiting() {
  return (
    <Box
      role="status"
      aria-label="正在读取帮助目录"
      sx={(theme) => ({
        ...GRID,
        minHeight: 700,
        alignContent: "start",
        "& > div": {
          height: 300,
          borderTop: `2px solid ${theme.palette.divider}`,
          background: LINES.map(
            (top, at) =>
              `linear-gradient(${theme.palette.action.hover} 0 0) 0 ${top}px / ${at === 0 ? "50% 18px" : "80% 14px"} no-repeat`,
          ).join(),
        },
      })}
    >
      {Array.from({ length: 8 }, (_, at) => `g${at}`).map((key) => (
        <div key={key} />
      ))}
    </Box>
  );
});
