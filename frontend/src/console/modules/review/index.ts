import type { ConsoleModule } from "../../kit/contract";

const review: ConsoleModule = {
  id: "review",
  title: "图文审核",
  group: "content",
  order: 20,
  icon: "M4 5h16v10H4ZM4 12l4-4 4 4 3-3 5 5M9 19l2 2 5-5",
  permission: "review.read",
  routes: [
    { path: "", title: "图文审核", load: () => import("./QueuePage") },
    { path: ":id", title: "待审内容", load: () => import("./CasePage") },
  ],
  userPanels: [{ id: "review", title: "图文审核", load: () => import("./UserPanel") }],
  overview: [{ id: "review-waiting", title: "待审图文", wide: 1, load: () => import("./WaitingCard") }],
  names: {
    "review.read": "查看待审图文",
    "review.decide": "审核图文",
    K65: "查看审核队列",
    K66: "领取或退回审核",
    K67: "查看待审内容",
    K68: "查看待审图片",
    K69: "审核图文",
  },
};

export default review;
