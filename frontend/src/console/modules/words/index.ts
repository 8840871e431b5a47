import type { ConsoleModule } from "../../kit/contract";

const words: ConsoleModule = {
  id: "words",
  title: "敏感词",
  group: "content",
  order: 40,
  icon: "M5 5h14M12 5v14M8 19h8M4 12h3M17 12h3",
  permission: "word.read",
  routes: [{ path: "", title: "敏感词", load: () => import("./WordsPage") }],
  names: {
    "word.read": "查看敏感词",
    "word.manage": "管理敏感词",
    K60: "查看敏感词",
    K61: "保存敏感词",
    K62: "移除敏感词",
    K63: "导入敏感词",
    K64: "测试文本",
  },
};

export default words;
