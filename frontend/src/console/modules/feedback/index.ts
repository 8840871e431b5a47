import type { ConsoleModule } from "../../kit/contract";

const feedback: ConsoleModule = {
  id: "feedback",
  title: "反馈",
  group: "people",
  order: 30,
  icon: "M4 5h16v11H9l-5 4V5ZM8 9h8M8 12.5h5",
  permission: "feedback.read",
  routes: [
    { path: "", title: "反馈", load: () => import("./ListPage") },
    { path: ":id", title: "反馈详情", load: () => import("./FeedbackPage") },
  ],
  userPanels: [{ id: "feedback", title: "反馈", load: () => import("./UserPanel") }],
  overview: [{ id: "feedback-open", title: "待回复反馈", wide: 1, load: () => import("./WaitingCard") }],
  names: {
    "feedback.read": "查看反馈",
    "feedback.answer": "回复与关闭反馈",
    K90: "查看反馈列表",
    K91: "查看反馈",
    K92: "查看反馈附件",
    K93: "回复反馈",
    K94: "关闭反馈",
  },
};

export default feedback;
