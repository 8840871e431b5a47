import Box from "@mui/material/Box";
import { Entries, RechargePanel } from "@/features/coins";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";

export default function AccountRechargePage() {
  return (
    <>
      <PageHeader title="账户充值" note="云币可以购买会员与服务，1 云币等于 1 元" />
      <Box sx={{ display: "grid", gap: 3, gridTemplateColumns: "minmax(0,1fr)" }}>
        <Panel title="充值">
          <RechargePanel side />
        </Panel>
        <Panel title="账户明细">
          <Entries />
        </Panel>
      </Box>
    </>
  );
}
