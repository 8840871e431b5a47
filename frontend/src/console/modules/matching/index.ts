import type { ConsoleModule } from "../../kit/contract";

const matching: ConsoleModule = {
  id: "matching",
  title: "供需对接",
  group: "content",
  order: 40,
  icon: "M4 8h10l-3-3M20 16H10l3 3M4 8l3 3M20 16l-3-3",
  permission: "matching.read",
  routes: [
    { path: "", title: "需求审核", load: () => import("./DemandsPage") },
    { path: "providers", title: "服务商", load: () => import("./ProvidersPage") },
    { path: "demands/:id", title: "一个需求", load: () => import("./DemandPage") },
    { path: "providers/:id", title: "一个服务商", load: () => import("./ProviderPage") },
  ],
  overview: [{ id: "matching-waiting", title: "待审需求", wide: 1, load: () => import("./WaitingCard") }],
  search: [
    {
      id: "matching",
      title: "需求",
      find: async (text, signal) => (await import("./find")).findDemands(text, signal),
    },
  ],
  names: {
    "matching.read": "查看需求与服务商",
    "matching.decide": "审核需求与服务商",
    "matching.manage": "下架与恢复需求、服务商",
    K240: "查看需求列表",
    K241: "查看需求",
    K242: "审核需求",
    K243: "下架需求",
    K244: "恢复需求",
    K245: "查看服务商列表",
    K246: "查看服务商",
    K247: "审核服务商",
    K248: "下架服务商",
    K249: "恢复服务商",
  },
};

export default matching;
