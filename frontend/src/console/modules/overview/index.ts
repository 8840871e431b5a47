import type { ConsoleModule } from "../../kit/contract";

const overview: ConsoleModule = {
  id: "overview",
  title: "总览",
  group: "overview",
  icon: "M4 13h6V4H4zM14 20h6v-9h-6zM4 20h6v-4H4zM14 8h6V4h-6z",
  permission: undefined,
  routes: [{ path: "", title: "总览", load: () => import("./OverviewPage") }],
};

export default overview;
