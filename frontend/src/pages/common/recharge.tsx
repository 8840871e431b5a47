import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { RechargePanel } from "@/features/coins";
import { useAuthDialog, useSession } from "@/session";
import { EmptyState } from "@/ui/EmptyState";

/** The recharge form as a page of its own. */
export default function RechargePage() {
  const { signedIn } = useSession();
  const auth = useAuthDialog();
  return (
    <Box
      sx={{
        width: "100%",
        maxWidth: 640,
        border: 1,
        borderColor: "divider",
        borderRadius: 2,
        backgroundColor: "background.paper",
      }}
    >
      <Box component="h1" sx={{ m: 0, px: 2.5, py: 2, fontSize: 20, lineHeight: "30px", fontWeight: 600 }}>
        充值云币
      </Box>
      {signedIn ? (
        <RechargePanel />
      ) : (
        <EmptyState
          kind="closed"
          title="登录后充值"
          action={
            <Button variant="contained" onClick={() => auth.open("login", { returnURL: "/common/recharge" })}>
              登录
            </Button>
          }
        />
      )}
    </Box>
  );
}
