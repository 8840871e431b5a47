import type { ConsoleModule } from "../../kit/contract";

const publications: ConsoleModule = {
  id: "publications",
  title: "内容发布",
  group: "content",
  order: 30,
  icon: "M4 10v4h3l7 4V6l-7 4H4ZM17.5 9.5a3.5 3.5 0 0 1 0 5M7 14v4.5",
  permission: "content.read",
  routes: [
    { path: "", title: "内容发布", load: () => import("./ListPage") },
    {
      path: "new",
      title: "新建内容",
      permission: "content.publish",
      rail: false,
      load: () => import("./NewPage"),
    },
    { path: ":id", title: "内容", load: () => import("./PublicationPage") },
  ],
  names: {
    "content.read": "查看发布的内容",
    "content.publish": "编辑与发布内容",
    K80: "查看内容列表",
    K81: "查看内容",
    K82: "保存内容草稿",
    K83: "发布内容",
    K84: "撤下内容",
    K85: "恢复内容的旧版本",
    K86: "上传内容的图片",
    K87: "查看内容的图片",
  },
};

export default publications;
