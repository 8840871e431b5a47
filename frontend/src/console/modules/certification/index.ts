import type { ConsoleModule } from "../../kit/contract";

const certification: ConsoleModule = {
  id: "certification",
  title: "认证审核",
  group: "content",
  order: 10,
  icon: "M4 6.5A1.5 1.5 0 0 1 5.5 5h13A1.5 1.5 0 0 1 20 6.5v11a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 17.5zM9 12.2a1.9 1.9 0 1 0 0-3.8 1.9 1.9 0 0 0 0 3.8M6.3 16a2.8 2.8 0 0 1 5.4 0M14.5 10H17M14.5 14H17",
  permission: "certification.read",
  routes: [
    { path: "", title: "认证审核", load: () => import("./QueuePage") },
    { path: ":id", title: "认证申请", load: () => import("./RequestPage") },
  ],
  userPanels: [{ id: "certification", title: "认证", load: () => import("./UserPanel") }],
  overview: [
    { id: "certification-waiting", title: "待审认证", wide: 1, load: () => import("./WaitingCard") },
  ],
  search: [
    {
      id: "certification",
      title: "认证",
      find: async (text, signal) => (await import("./find")).findCertifications(text, signal),
    },
  ],
  names: {
    "certification.read": "查看认证申请",
    "certification.decide": "审核认证",
    K70: "审核认证",
    K71: "查看认证队列",
    K72: "查看认证申请",
    K73: "查看认证材料",
    K74: "领取认证申请",
  },
};

export default certification;
