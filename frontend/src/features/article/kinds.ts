/** The kinds of articles: their names and list pages. */
export const KINDS = {
  help: { title: "帮助", one: "帮助文章", home: "/helpCenter", homeTitle: "帮助中心" },
  teach: { title: "教程", one: "教程", home: "/helpCenter/teach", homeTitle: "教程" },
  news: { title: "新闻", one: "文章", home: "/news", homeTitle: "新闻" },
  case: { title: "案例", one: "案例", home: "/case", homeTitle: "案例中心" },
  solution: { title: "方案", one: "方案", home: "/solution", homeTitle: "解决方案" },
  campaign: { title: "专题", one: "专题", home: "/latestevents", homeTitle: "最新活动" },
  brochure: { title: "手册", one: "手册", home: "/aLeaflet", homeTitle: "产品手册" },
  product: { title: "产品", one: "产品说明", home: "/siteMap", homeTitle: "网站地图" },
} as const;

export type Kind = keyof typeof KINDS;

export const isKind = (text: string): text is Kind => Object.hasOwn(KINDS, text);
