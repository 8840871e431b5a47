import Box from "@mui/material/Box";
import {
  ClosingPanel,
  EditPanel,
  SecurityPanel,
  SessionsPanel,
  SignInsPanel,
  TakeAlongPanel,
} from "@/features/account";
import { ThirdPartyPanel } from "@/features/thirdParty";
import { PageHeader } from "@/ui/PageHeader";

/** The user's profile, sign-in methods and sessions. */
export default function AccountManagementPage() {
  return (
    <>
      <PageHeader title="账号管理" note="个人资料、登录方式与登录过的设备" />
      <Box sx={{ display: "grid", gap: 3, maxWidth: 880, gridTemplateColumns: "minmax(0,1fr)" }}>
        <EditPanel />
        <SecurityPanel />
        <ThirdPartyPanel />
        <SessionsPanel />
        <SignInsPanel />
        <TakeAlongPanel />
        <ClosingPanel />
      </Box>
    </>
  );
}
