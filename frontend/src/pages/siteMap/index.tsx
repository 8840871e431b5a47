import Box from "@mui/material/Box";
import { Link } from "react-router";
import { type PagePath, paths, plainPath } from "@/app/paths";
import { Articles } from "./Articles";

const GROUPS: readonly { title: string; takes: (page: PagePath) => boolean }[] = [
  { title: "个人中心", takes: (page) => page.path.startsWith("/workbench/account") },
  { title: "工作台", takes: (page) => page.path.startsWith("/workbench") },
  { title: "发布中心", takes: (page) => page.path.startsWith("/publishCenter") },
  { title: "行业方案", takes: (page) => page.path.startsWith("/solution") },
  { title: "供需对接", takes: (page) => page.path.startsWith("/matchingPlatform") },
  { title: "应用中心", takes: (page) => page.path.startsWith("/applicationCenter") },
  { title: "模型与作品", takes: (page) => /^\/(transaction|production|modelEditor)/.test(page.path) },
  { title: "站点", takes: () => true },
];

const ONE_THING = /^\/(news|case)\/details?$/;

/** Each page once, under the first group that takes it; the site's own pages come first. */
function grouped() {
  const rest = new Map(GROUPS.map((group) => [group.title, [] as PagePath[]]));
  const titles = new Set<string>();
  for (const page of paths) {
    // what shows one thing is reached from its list
    if (ONE_THING.test(page.path) || page.state === "gone") continue;
    const group = GROUPS.find((candidate) => candidate.takes(page));
    const key = `${group?.title}/${page.title}`;
    // Two addresses of one page stand here once.
    if (!group || titles.has(key)) continue;
    titles.add(key);
    rest.get(group.title)?.push(page);
  }
  return GROUPS.map((group) => ({ title: group.title, pages: rest.get(group.title) ?? [] })).reverse();
}

export default function SiteMapPage() {
  return (
    <Box sx={{ maxWidth: 1240, mx: "auto", px: 2.5, py: { xs: 4, md: 8 } }}>
      <Box component="h1" sx={{ m: 0, fontSize: { xs: 28, md: 36 }, lineHeight: 1.3, fontWeight: 600 }}>
        网站地图
      </Box>
      <Box component="p" sx={{ m: 0, mt: 1, color: "text.secondary" }}>
        蓝色的页面已经开放；灰色的仍在筹备，打开会说明情况。
      </Box>
      {grouped().map((group) => (
        <Box component="section" key={group.title} sx={{ mt: 5 }}>
          <Box
            component="h2"
            sx={{
              m: 0,
              pb: 1,
              fontSize: 18,
              lineHeight: "28px",
              fontWeight: 600,
              borderBottom: 1,
              borderColor: "divider",
            }}
          >
            {group.title}
          </Box>
          <Box
            component="ul"
            sx={{
              m: 0,
              mt: 1.5,
              p: 0,
              listStyle: "none",
              display: "grid",
              gridTemplateColumns: { xs: "1fr 1fr", sm: "repeat(3, 1fr)", md: "repeat(5, 1fr)" },
              columnGap: 3,
            }}
          >
            {group.pages.map((page) => (
              <li key={page.path}>
                <Box
                  component={Link}
                  to={plainPath(page)}
                  sx={{
                    display: "inline-block",
                    lineHeight: "36px",
                    textDecoration: "none",
                    color: page.state === "open" ? "primary.main" : "text.secondary",
                    "&:hover": { textDecoration: "underline" },
                  }}
                >
                  {page.title}
                </Box>
              </li>
            ))}
          </Box>
        </Box>
      ))}
      <Articles />
    </Box>
  );
}
