import type { Address } from "@/app/paths";

/** Style of the links in the dark footer. */
export const FOOTER_LINK = {
  display: "inline-block",
  color: "text.secondary",
  textDecoration: "none",
  fontSize: 14,
  lineHeight: "32px",
  "&:hover": { color: "#fff" },
} as const;

export const FOOTER_COLUMNS: readonly {
  title: string;
  links: readonly { title: string; to: Address }[];
}[] = [
  {
    title: "产品",
    links: [
      { title: "单模型轻量化", to: "/singleIightweight" },
      { title: "格式转换", to: "/formatConversion" },
      { title: "会员价格", to: "/pricePage" },
      { title: "案例中心", to: "/case" },
      { title: "我的工作台", to: "/workbench" },
    ],
  },
  {
    title: "支持",
    links: [
      { title: "帮助中心", to: "/helpCenter" },
      { title: "教程", to: "/helpCenter/teach" },
      { title: "新闻", to: "/news" },
      { title: "搜索", to: "/common/search" },
      { title: "网站地图", to: "/siteMap" },
    ],
  },
  {
    title: "关于",
    links: [
      { title: "关于我们", to: "/applicationCenter/aboutUs" },
      { title: "联系方式", to: "/applicationCenter/aboutUs#contactUs" },
      { title: "会员服务协议", to: "/agreement" },
      { title: "平台保密协议", to: "/secrecy" },
    ],
  },
];
