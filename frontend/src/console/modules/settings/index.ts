import type { ConsoleModule } from "../../kit/contract";

const settings: ConsoleModule = {
  id: "settings",
  title: "设置",
  group: "system",
  order: 20,
  icon: "M4 7h10M18 7h2M4 12h2M10 12h10M4 17h8M16 17h4M16 5v4M8 10v4M14 15v4",
  permission: "setting.read",
  names: { "setting.read": "查看设置", K43: "查看设置" },
  routes: [{ path: "", title: "设置", load: () => import("./SettingsPage") }],
};

export default settings;
