import type { ConsoleModule } from "../../kit/contract";

const works: ConsoleModule = {
  id: "works",
  title: "作品",
  group: "content",
  order: 30,
  icon: "M4 5h16v14H4zM4 15.5l4.5-4.5 3.5 3.5 3.5-4.5 4.5 5.5M8.5 9h.01",
  permission: "work.read",
  routes: [
    { path: "", title: "作品审核", load: () => import("./QueuePage") },
    { path: "comments", title: "作品评论", permission: "comment.read", load: () => import("./CommentsPage") },
    { path: "categories", title: "作品分类与行业", load: () => import("./CategoriesPage") },
    { path: "works/:id", title: "一个作品", load: () => import("./WorkPage") },
  ],
  overview: [{ id: "works-waiting", title: "待审作品", wide: 1, load: () => import("./WaitingCard") }],
  search: [
    {
      id: "works",
      title: "作品",
      find: async (text, signal) => (await import("./find")).findWorks(text, signal),
    },
  ],
  names: {
    "work.read": "查看作品",
    "work.decide": "审核作品",
    "work.manage": "隐藏、恢复与推荐作品",
    "workCategory.manage": "管理作品分类与行业",
    "comment.read": "查看作品评论",
    "comment.manage": "隐藏与恢复评论，处理举报",
    K170: "查看作品列表",
    K171: "查看作品",
    K172: "审核作品",
    K173: "隐藏作品",
    K174: "恢复作品",
    K175: "推荐作品",
    K176: "查看作品分类与行业",
    K177: "保存作品分类与行业",
    K178: "查看作品评论",
    K179: "隐藏评论",
    K180: "恢复评论",
    K181: "处理举报",
  },
};

export default works;
