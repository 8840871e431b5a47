import Box from "@mui/material/Box";
import { LinkTabs } from "@/ui/LinkTabs";

const TABS = [
  { id: "listings", text: "我的上架", to: "/workbench/modelMaker" },
  { id: "homePage", text: "模型师主页", to: "/workbench/modelMaker/homePage" },
  { id: "records", text: "审核记录", to: "/workbench/modelMaker/records" },
  { id: "order", text: "用户订单", to: "/workbench/modelMaker/order" },
  { id: "setting", text: "主页设置", to: "/workbench/modelMaker/setting" },
] as const;

export type ModelerTab = (typeof TABS)[number]["id"];

/** Tabs of the centre's pages, since the rail is collapsed on phones. */
export function ModelerTabs({ current }: { current: ModelerTab }) {
  return (
    <Box sx={{ mb: 3 }}>
      <LinkTabs label="模型师中心页面" current={current} tabs={TABS} />
    </Box>
  );
}
