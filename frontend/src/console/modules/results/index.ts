import type { ConsoleModule } from "../../kit/contract";

const results: ConsoleModule = {
  id: "results",
  title: "处理评价",
  group: "business",
  order: 60,
  icon: "M12 4l2.4 5 5.6.7-4.1 3.8 1.1 5.5-5-2.8-5 2.8 1.1-5.5L4 9.7 9.6 9z",
  permission: "result.read",
  routes: [{ path: "", title: "处理评价", load: () => import("./FeedbackPage") }],
  names: {
    "result.read": "查看处理评价",
    K260: "查看处理评价",
    K261: "查看处理评价的平均分",
  },
};

export default results;
