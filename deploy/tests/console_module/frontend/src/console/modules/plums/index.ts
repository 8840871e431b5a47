import type { ConsoleModule } from "../../kit/contract";

const plums: ConsoleModule = {
  id: "plums",
  title: "梅子",
  group: "content",
  icon: "M12 5a7 7 0 1 0 0 14 7 7 0 0 0 0-14",
  permission: "plum.read",
  routes: [{ path: "", title: "梅子", load: () => import("./PlumsPage") }],
  names: { "plum.read": "查看梅子", K990: "查看梅子" },
};

export default plums;
