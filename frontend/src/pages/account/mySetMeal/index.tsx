import Box from "@mui/material/Box";
import { FreeCounts, MyPackages, Offered } from "@/features/packages";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";

export default function MySetMealPage() {
  return (
    <>
      <PageHeader title="我的套餐" note="会员的免费次数，以及在免费空间和会员空间之外增加存储的存储包" />
      <Box sx={{ display: "grid", gap: 3, gridTemplateColumns: "minmax(0,1fr)" }}>
        <Panel title="会员免费次数">
          <FreeCounts />
        </Panel>
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
