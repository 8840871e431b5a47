import { area } from "./area";

/** The home page, what the platform is and offers, and sign-in. */
const { page, soon } = area({ layout: "default", access: "public" });

export const sitePaths = [
  page("/", "首页"),
  page("/index1", "首页"),
  page("/index2", "首页"),
  soon("/aiModel", "AI 建模"),
  soon("/editorLandingPage", "在线编辑器"),
  page("/extension", "推广计划"),
  page("/formatConversion", "格式转换"),
  page("/obliquePhotography", "倾斜摄影轻量化"),
  page("/pricePage", "会员与价格"),
  page("/siteMap", "网站地图"),
  page("/singleIightweight", "单体模型轻量化"),
  soon("/topology", "拓扑优化"),
  page("/unApprove", "审核未通过", { layout: "simple2" }),
  page("/common/search", "搜索"),
  page("/login", "登录", { layout: "simple2" }),
] as const;
