import type { ConsoleModule } from "../../kit/contract";

const jobs: ConsoleModule = {
  id: "jobs",
  title: "处理任务",
  group: "system",
  order: 20,
  icon: "M4 6h16M4 12h10M4 18h7M17 14l4 3-4 3z",
  permission: "job.read",
  routes: [
    { path: "", title: "处理任务", load: () => import("./JobsPage") },
    { path: ":id", title: "任务详情", load: () => import("./JobPage") },
  ],
  userPanels: [{ id: "jobs", title: "处理任务", load: () => import("./JobsPanel") }],
  overview: [{ id: "jobs", title: "任务队列", wide: 1, load: () => import("./QueueCard") }],
  names: {
    "job.read": "查看处理任务",
    "job.manage": "重试与取消任务",
    K110: "查找任务",
    K111: "查看任务",
    K112: "查看任务队列",
    K113: "重试任务",
    K114: "取消任务",
  },
};

export default jobs;
