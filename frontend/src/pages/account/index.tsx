import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useAccountInformationQuery, useQueryInfoQuery } from "@/calls/personal";
import { BalancePanel, ProfilePanel } from "@/features/account";
import { FreeCounts } from "@/features/packages";
import { GuidedTour } from "@/features/tour";
import { useSession } from "@/session";
import { EmptyState } from "@/ui/EmptyState";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";

/** The personal centre's first page: the user's profile and assets. */
export default function AccountHome() {
  const session = useSession();
  const skip = !session.signedIn;
  const user = useQueryInfoQuery({ userId: session.loginId }, { skip });
  const account = useAccountInformationQuery({ userId: session.loginId }, { skip });
  if (user.isError) {
    return (
      <EmptyState
        heading="h1"
        kind="error"
        title="账户信息没有读到"
        hint="检查网络后再试一次；若刚刚退出登录，请重新登录"
        action={
          <Button variant="outlined" onClick={user.refetch}>
            重新读取
          </Button>
        }
      />
    );
  }

  return (
    <>
      <PageHeader title="账户信息" note="您在玄览云留下的资料，以及账户里有什么" />
      <Box
        sx={{
          display: "grid",
          gap: 3,
          alignItems: "start",
          gridTemplateColumns: { xs: "minmax(0,1fr)", lg: "minmax(0,1.7fr) minmax(0,1fr)" },
        }}
      >
        <ProfilePanel info={user.data} loading={user.isLoading} />
        <Box sx={{ display: "grid", gap: 3, gridTemplateColumns: "minmax(0,1fr)" }}>
          <BalancePanel account={account.data} />
          {user.data?.memberStatus === 1 && (
            <Panel title="会员免费次数" more={{ text: "我的套餐", to: "/workbench/account/mySetMeal" }}>
              <FreeCounts />
            </Panel>
          )}
        </Box>
      </Box>
      <GuidedTour name="personal" />
    </>
  );
}
