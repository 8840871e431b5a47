import { area } from "./area";

/** Help, news, cases, solutions and events: what is read. */
const { page, soon } = area({ layout: "default", access: "public" });

export const contentPaths = [
  soon("/activePage", "活动", { layout: "operation" }),
  page("/agreement", "会员服务协议", { layout: "simple" }),
  page("/case", "案例中心"),
  page("/case/details", "案例详情"),
  page("/case/programme", "行业方案案例"),
  page("/latestevents", "最新活动"),
  page("/secrecy", "平台保密协议", { layout: "simple" }),
  page("/helpCenter", "帮助中心"),
  page("/helpCenter/teach", "教程"),
  page("/news", "新闻"),
  soon("/news/api", "接口动态"),
  page("/news/detail", "新闻详情"),
  page("/solution", "解决方案"),
  page("/solution/c2mEcommerce", "C2M 电商"),
  page("/solution/intelligentTransportation", "智慧交通"),
  page("/solution/smartComputerRoom", "智慧机房"),
  page("/solution/smartEnergy", "智慧能源"),
  page("/solution/smartFactory", "智慧工厂"),
  page("/solution/smartPark", "智慧园区"),
] as const;
