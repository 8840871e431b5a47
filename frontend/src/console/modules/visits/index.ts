import type { ConsoleModule } from "../../kit/contract";

const visits: ConsoleModule = {
  id: "visits",
  title: "访问统计",
  group: "business",
  order: 90,
  icon: "M4 20V10M10 20V4M16 20v-7M22 20H2",
  permission: "visit.read",
  routes: [
    { path: "", title: "访问统计", load: () => import("./VisitsPage") },
    { path: "actions", title: "行为日志", load: () => import("./ActionsPage") },
  ],
  overview: [{ id: "visits", title: "近 14 天访问", wide: 2, load: () => import("./VisitsCard") }],
  names: {
    "visit.read": "查看访问统计",
    K100: "查看访问趋势",
    K101: "查看访问排行",
    K102: "查看转化漏斗",
    K103: "查看行为日志",
    K104: "导出访问统计",
  },
};

export default visits;
