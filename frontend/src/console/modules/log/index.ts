import type { ConsoleModule } from "../../kit/contract";
import { COMMAND } from "./words";

const log: ConsoleModule = {
  id: "log",
  title: "操作日志",
  group: "system",
  order: 40,
  icon: "M7 4h10a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2M9 9h6M9 13h6M9 17h3",
  permission: "audit.read",
  names: {
    "audit.read": "查看操作日志",
    K30: "查询操作日志",
    K31: "导出操作日志",
    K32: "验证审计链",
    // What was done on the server's command line, where no operator is signed in.
    [COMMAND]: "命令行",
  },
  routes: [{ path: "", title: "操作日志", load: () => import("./LogPage") }],
  userPanels: [{ id: "log", title: "操作记录", load: () => import("./UserLogPanel") }],
  overview: [{ id: "last-acts", title: "最近操作", wide: 1, load: () => import("./LastActsCard") }],
};

export default log;
