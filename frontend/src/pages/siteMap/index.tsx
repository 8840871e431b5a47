import Box from "@mui/material/Box";
import { Link } from "react-router";
import { type Area, paths, plainPath } from "@/app/paths";
import { Articles } from "./Articles";

const GROUPS = [
  "站点",
  "模型商城",
  "作品",
  "供需对接",
  "案例、方案与帮助",
  "专题与手册",
  "应用与编辑器",
  "AI 与拓扑",
  "工作台",
  "发布中心",
  "个人中心",
] as const;

const GROUP_OF: Record<Area, (typeof GROUPS)[number]> = {
  site: "站点",
  mall: "模型商城",
  works: "作品",
  matchup: "供需对接",
  content: "案例、方案与帮助",
  landing: "专题与手册",
  applications: "应用与编辑器",
  editor: "应用与编辑器",
  developers: "应用与编辑器",
  visualization: "应用与编辑器",
  ai: "AI 与拓扑",
  topology: "AI 与拓扑",
  workbench: "工作台",
  messages: "工作台",
  orders: "工作台",
  publish: "发布中心",
  account: "个人中心",
};

/** Pages of a single object, reached from its list. */
const ONE_THING = /\/(details?|demandDetailsPage|author|favoriteDetails)$/;

/** Each page once; of several addresses with the same title the first. */
function grouped() {
  const titles = new Set<string>();
  const listed = paths.filter(({ path, title, state, area }) => {
    const key = `${GROUP_OF[area]}/${title}`;
    if (state === "gone" || ONE_THING.test(path) || titles.has(key)) return false;
    titles.add(key);
    return true;
  });
  return GROUPS.map((title) => ({ title, pages: listed.filter(({ area }) => GROUP_OF[area] === title) }));
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
