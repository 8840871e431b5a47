import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import { useSearchParams } from "react-router";
import { useAccountInformationQuery } from "@/calls/personal";
import { shopMessages } from "@/messages/shop";
import { useSession } from "@/session";
import { useShop } from "@/shop";
import { formatCents } from "@/ui/Price";
import { RechargeForm } from "./RechargeForm";

/** Balance and recharge form; after a payment (`isPay=1`) confirms the recharge. `side`: the balance is beside the form. */
export function RechargePanel({ side = false }: { side?: boolean }) {
  const { signedIn, loginId } = useSession();
  const account = useAccountInformationQuery({ userId: loginId }, { skip: !signedIn });
  const [query, setQuery] = useSearchParams();
  const shop = useShop();
  return (
    <Box sx={{ p: 2.5, borderTop: 1, borderColor: "divider" }}>
      {query.get("isPay") === "1" && (
        <Alert severity="success" onClose={() => setQuery({}, { replace: true })} sx={{ mb: 2 }}>
          {shopMessages.recharged}
        </Alert>
      )}
      <Box
        sx={{
          display: "grid",
          gap: 3,
          gridTemplateColumns: { xs: "minmax(0,1fr)", lg: side ? "280px minmax(0,1fr)" : "minmax(0,1fr)" },
        }}
      >
        <Box>
          <Box sx={{ fontSize: 12, color: "text.secondary" }}>云币余额（元）</Box>
          <Box
            data-testid="coins"
            sx={{ fontSize: 32, lineHeight: "44px", fontWeight: 600, fontVariantNumeric: "tabular-nums" }}
          >
            {account.data ? formatCents(account.data.cloudCoin) : "—"}
          </Box>
          <Box
            component="ul"
            sx={{ m: 0, mt: 1, pl: 2.25, fontSize: 13, lineHeight: "24px", color: "text.secondary" }}
          >
            <li>1 云币等于 1 元，付款时直接抵扣</li>
            <li>会员订单可以用云币支付，用了优惠券的订单也用它</li>
            <li>每一笔收支都在账户流水里</li>
          </Box>
        </Box>
        <RechargeForm onOrder={(order) => shop.pay(order.orderId)} />
      </Box>
    </Box>
  );
}
