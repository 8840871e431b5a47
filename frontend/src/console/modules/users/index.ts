import type { ConsoleModule } from "../../kit/contract";

const users: ConsoleModule = {
  id: "users",
  title: "用户",
  group: "people",
  order: 10,
  icon: "M16 19v-1.5a3.5 3.5 0 0 0-3.5-3.5h-5A3.5 3.5 0 0 0 4 17.5V19M10 10.5a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4M20 19v-1.5a3.5 3.5 0 0 0-2.6-3.4M15 4.2a3.2 3.2 0 0 1 0 6.2",
  permission: "user.read",
  routes: [
    { path: "", title: "用户", load: () => import("./UsersPage") },
    { path: ":loginId", title: "用户详情", load: () => import("./UserPage") },
  ],
  userPanels: [
    { id: "factors", title: "登录方式", load: () => import("./FactorsPanel") },
    { id: "sessions", title: "登录会话", load: () => import("./SessionsPanel") },
  ],
  overview: [{ id: "new-users", title: "最近注册", wide: 2, load: () => import("./NewUsersCard") }],
  names: {
    "user.read": "查看用户",
    "user.reveal": "查看完整联系方式",
    "user.freeze": "冻结与解冻用户",
    "user.session": "结束用户会话",
    "user.reset": "重置用户登录方式",
    K20: "查找用户",
    K21: "查看用户",
    K22: "查看完整联系方式",
    K23: "冻结用户",
    K24: "解冻用户",
    K25: "结束用户会话",
    K26: "重置用户的两步验证",
    K27: "解除用户的第三方绑定",
  },
  search: [
    {
      id: "users",
      title: "用户",
      find: async (text, signal) => (await import("./find")).findUsers(text, signal),
    },
  ],
};

export default users;
