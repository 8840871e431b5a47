import type { ConsoleModule } from "../../kit/contract";

const mall: ConsoleModule = {
  id: "mall",
  title: "模型商城",
  group: "business",
  order: 20,
  icon: "M5 9.5 6.5 5h11L19 9.5M5 9.5V19h14V9.5M5 9.5a2.3 2.3 0 0 0 4.7 0 2.3 2.3 0 0 0 4.6 0 2.3 2.3 0 0 0 4.7 0M9.5 19v-5h5v5",
  permission: "listing.read",
  routes: [
    { path: "", title: "模型审核", load: () => import("./QueuePage") },
    { path: "reviews", title: "模型评价", permission: "rating.read", load: () => import("./ReviewsPage") },
    { path: "categories", title: "商城分类", load: () => import("./CategoriesPage") },
    { path: "modelers", title: "模型师", permission: "modeler.read", load: () => import("./ModelersPage") },
    {
      path: "modelers/:id",
      title: "一位模型师",
      permission: "modeler.read",
      load: () => import("./ModelerPage"),
    },
    { path: "listings/:id", title: "一个模型", load: () => import("./ListingPage") },
  ],
  overview: [
    { id: "mall-waiting", title: "待审模型", wide: 1, load: () => import("./WaitingCard") },
    {
      id: "modelers-waiting",
      title: "待审模型师",
      wide: 1,
      permission: "modeler.read",
      load: () => import("./ModelersCard"),
    },
  ],
  userPanels: [
    { id: "modeler", title: "模型师", permission: "modeler.read", load: () => import("./ModelerPanel") },
  ],
  search: [
    {
      id: "mall",
      title: "商城模型",
      find: async (text, signal) => (await import("./find")).findListings(text, signal),
    },
  ],
  names: {
    "listing.read": "查看商城模型",
    "listing.decide": "审核商城模型",
    "listing.manage": "下架与恢复商城模型",
    "category.manage": "管理商城分类",
    "rating.read": "查看模型评价",
    "rating.manage": "隐藏与恢复模型评价",
    K120: "查看商城模型列表",
    K121: "查看商城模型",
    K122: "领取商城模型",
    K123: "审核商城模型",
    K124: "下架商城模型",
    K125: "恢复商城模型",
    K126: "永久删除商城模型",
    K127: "查看商城分类",
    K128: "保存商城分类",
    K160: "查看模型评价",
    K161: "隐藏模型评价",
    K162: "恢复模型评价",
    "modeler.read": "查看模型师",
    "modeler.decide": "审核模型师",
    "modeler.freeze": "冻结与解冻模型师",
    K133: "查看模型师列表",
    K134: "查看模型师",
    K135: "审核模型师",
    K136: "冻结模型师",
    K137: "解冻模型师",
  },
};

export default mall;
