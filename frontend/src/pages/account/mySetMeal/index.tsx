import Box from "@mui/material/Box";
import { MyPackages, Offered } from "@/features/packages";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";

export default function MySetMealPage() {
  return (
    <>
      <PageHeader title="我的套餐" note="存储包在免费空间和会员空间之外增加存储，付款后立即生效" />
      <Box sx={{ display: "grid", gap: 3, gridTemplateColumns: "minmax(0,1fr)" }}>
        <Panel title="购买套餐">
          <Offered />
        </Panel>
        <Panel title="已购套餐">
          <MyPackages />
        </Panel>
      </Box>
    </>
  );
}
