import { area } from "./area";

/** Help, news, cases, solutions and events: what is read. */
const { page, soon } = area({ layout: "default", access: "public" });

export const contentPaths = [
  soon("/activePage", "活动", { layout: "operation" }),
  page("/agreement", "会员服务协议", { layout: "simple" }),
  soon("/case", "案例中心"),
  soon("/case/details", "案例详情"),
  soon("/case/programme", "行业方案案例"),
  soon("/latestevents", "最新活动"),
  page("/secrecy", "平台保密协议", { layout: "simple" }),
  page("/helpCenter", "帮助中心"),
  soon("/helpCenter/teach", "教程"),
  soon("/news", "新闻"),
  soon("/news/api", "接口动态"),
  soon("/news/detail", "新闻详情"),
  soon("/solution", "解决方案"),
  soon("/solution/c2mEcommerce", "C2M 电商"),
  soon("/solution/intelligentTransportation", "智慧交通"),
  soon("/solution/smartComputerRoom", "智慧机房"),
  soon("/solution/smartEnergy", "智慧能源"),
  soon("/solution/smartFactory", "智慧工厂"),
  soon("/solution/smartPark", "智慧园区"),
] as const;
