import type { ConsoleModule } from "../../kit/contract";

const chat: ConsoleModule = {
  id: "chat",
  title: "在线客服",
  group: "people",
  order: 40,
  icon: "M12 4c4.4 0 8 2.9 8 6.5S16.4 17 12 17l-4.5 3v-3.7C5.4 15.2 4 13 4 10.5 4 6.9 7.6 4 12 4Z",
  permission: "chat.read",
  routes: [
    { path: "", title: "在线客服", load: () => import("./ChatPage") },
    { path: ":loginId", title: "会话", load: () => import("./ChatPage") },
  ],
  userPanels: [{ id: "chat", title: "在线客服", load: () => import("./UserPanel") }],
  overview: [{ id: "chat-waiting", title: "待回复会话", wide: 1, load: () => import("./WaitingCard") }],
  names: {
    "chat.read": "查看客服会话",
    "chat.answer": "回复与结束客服会话",
    K95: "查看会话列表",
    K96: "查看会话",
    K97: "回复会话",
    K98: "结束会话",
  },
};

export default chat;
