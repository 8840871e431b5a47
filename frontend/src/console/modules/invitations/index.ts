import type { ConsoleModule } from "../../kit/contract";

const invitations: ConsoleModule = {
  id: "invitations",
  title: "邀请奖励",
  group: "business",
  order: 40,
  icon: "M15.5 19v-1.2a3.8 3.8 0 0 0-3.8-3.8H7.8A3.8 3.8 0 0 0 4 17.8V19M9.7 10.8a3.3 3.3 0 1 0 0-6.6 3.3 3.3 0 0 0 0 6.6M18.5 8v6M15.5 11h6",
  permission: "invitation.read",
  routes: [
    { path: "", title: "邀请奖励", load: () => import("./PairsPage") },
    { path: ":id", title: "邀请详情", load: () => import("./PairPage") },
  ],
  userPanels: [{ id: "invitations", title: "邀请", load: () => import("./UserPanel") }],
  overview: [{ id: "invitations-held", title: "待定奖励", wide: 1, load: () => import("./HeldCard") }],
  search: [
    {
      id: "invitations",
      title: "邀请",
      find: async (text, signal) => (await import("./find")).findPairs(text, signal),
    },
  ],
  names: {
    "invitation.read": "查看邀请",
    "invitation.decide": "处理邀请奖励",
    K75: "查看邀请列表",
    K76: "查看邀请详情",
    K77: "发放邀请奖励",
    K78: "拒绝邀请奖励",
    K79: "查看邀请统计",
  },
};

export default invitations;
