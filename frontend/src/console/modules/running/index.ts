import type { ConsoleModule } from "../../kit/contract";

const running: ConsoleModule = {
  id: "running",
  title: "运行状况",
  group: "system",
  order: 10,
  icon: "M3 12h4l3-7 4 14 3-7h4",
  permission: "running.read",
  routes: [
    { path: "", title: "运行状况", load: () => import("./RunningPage") },
    { path: "deadLetters", title: "死信", load: () => import("./DeadLettersPage") },
  ],
  names: {
    "running.read": "查看运行状况",
    "running.manage": "重新投递或丢弃死信",
    K40: "查看运行状况",
    K41: "查看死信",
    K42: "重新投递死信",
    K44: "丢弃死信",
  },
  overview: [{ id: "health", title: "服务健康", wide: 1, load: () => import("./HealthCard") }],
};

export default running;
