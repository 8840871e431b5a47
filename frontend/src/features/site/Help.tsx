import Box from "@mui/material/Box";
import { Link } from "react-router";
import SearchIcon from "@/ui/icons/SearchOutlined";
import type { HelpArticle as Article, HelpBlock } from "./helpArticles";

/** What a block says tells it apart from the others of its article. */
function blockKey(block: HelpBlock): string {
  if (block.kind === "list") return block.items.join();
  return block.kind === "table" ? block.head.join() : block.text;
}

function Block({ block }: { block: HelpBlock }) {
  switch (block.kind) {
    case "heading":
      return (
        <Box component="h3" sx={{ m: 0, mt: 4, fontSize: 18, lineHeight: "28px", fontWeight: 600 }}>
          {block.text}
        </Box>
      );
    case "text":
      return (
        <Box component="p" sx={{ m: 0, mt: 2, fontSize: 15, lineHeight: "28px" }}>
          {block.text}
        </Box>
      );
    case "list":
      return (
        <Box
          component={block.ordered ? "ol" : "ul"}
          sx={{
            m: 0,
            mt: 2,
            pl: 3,
            fontSize: 15,
            lineHeight: "28px",
            "& li": { mt: 1 },
            "& li::marker": { color: "text.secondary" },
          }}
        >
          {block.items.map((item) => (
            <li key={item}>{item}</li>
          ))}
        </Box>
      );
    case "table":
      return (
        <Box
          tabIndex={0}
          role="region"
          aria-label={block.head.join("、")}
          sx={{
            mt: 2.5,
            overflowX: "auto",
            "& table": {
              width: "100%",
              minWidth: 480,
              borderCollapse: "collapse",
              fontSize: 14,
              lineHeight: "24px",
            },
            "& th, & td": {
              py: 1.25,
              pr: 3,
              textAlign: "left",
              verticalAlign: "top",
              borderBottom: 1,
              borderColor: "divider",
            },
            "& thead th": { fontSize: 12, fontWeight: 500, color: "text.secondary" },
            "& tbody th": { fontWeight: 500, whiteSpace: { md: "nowrap" } },
            "& td": { color: "text.secondary" },
          }}
        >
          <table>
            <thead>
              <tr>
                {block.head.map((title) => (
                  <th scope="col" key={title}>
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {block.rows.map(([first, ...rest]) => (
                <tr key={first}>
                  <th scope="row">{first}</th>
                  {rest.map((cell, column) => (
                    <td key={block.head[column + 1]}>{cell}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </Box>
      );
  }
}

/** One article, whole. */
export function HelpArticle({ article }: { article: Article }) {
  return (
    <Box
      component="article"
      sx={{
        p: { xs: 2.5, md: 6 },
        border: 1,
        borderColor: "divider",
        borderRadius: 2,
        backgroundColor: "background.paper",
      }}
    >
      <Box component="h2" sx={{ m: 0, fontSize: 26, lineHeight: "36px", fontWeight: 600 }}>
        {article.title}
      </Box>
      {article.blocks.map((block) => (
        <Block key={blockKey(block)} block={block} />
      ))}
    </Box>
  );
}

interface HelpListProps {
  articles: readonly Article[];
  /** Id of the article one reads. */
  current: string | undefined;
  onChoose: (id: string) => void;
}

/** The articles to choose from. */
export function HelpList({ articles, current, onChoose }: HelpListProps) {
  return (
    <Box
      component="nav"
      aria-label="帮助目录"
      sx={{ position: { md: "sticky" }, top: 104, display: "grid", gap: 0.5 }}
    >
      {articles.map((article) => (
        <Box
          key={article.id}
          component={Link}
          to={`/helpCenter?id=${article.id}`}
          onClick={(event: React.MouseEvent) => {
            // The list stays filtered while one reads through what was found.
            event.preventDefault();
            onChoose(article.id);
          }}
          aria-current={article.id === current ? "page" : undefined}
          sx={{
            px: 2,
            py: 1.25,
            borderRadius: 2,
            color: "text.primary",
            textDecoration: "none",
            "&:hover": { backgroundColor: "action.hover" },
            "&[aria-current]": (theme) => ({
              backgroundColor: theme.tokens.primarySoft,
              color: "primary.dark",
            }),
          }}
        >
          <Box sx={{ fontWeight: 500 }}>{article.title}</Box>
          <Box sx={{ fontSize: 12, lineHeight: "18px", color: "text.secondary" }}>{article.summary}</Box>
        </Box>
      ))}
    </Box>
  );
}

export function HelpSearch({ query, onChange }: { query: string; onChange: (query: string) => void }) {
  return (
    <Box
      component="label"
      sx={{
        mt: 3,
        display: "flex",
        alignItems: "center",
        gap: 1,
        maxWidth: 520,
        height: 48,
        px: 2,
        border: 1,
        borderColor: "divider",
        borderRadius: 2,
        backgroundColor: "background.paper",
        "&:focus-within": { borderColor: "primary.main" },
      }}
    >
      <SearchIcon sx={{ color: "text.secondary" }} />
      <Box
        component="input"
        type="search"
        value={query}
        placeholder="搜一句提示，或一个词"
        aria-label="搜索帮助"
        maxLength={60}
        onChange={(event: React.ChangeEvent<HTMLInputElement>) => onChange(event.target.value)}
        sx={{
          flex: 1,
          minWidth: 0,
          border: 0,
          outline: 0,
          font: "inherit",
          fontSize: 15,
          color: "inherit",
          background: "none",
        }}
      />
    </Box>
  );
}
