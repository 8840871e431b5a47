import Box from "@mui/material/Box";
import { Link } from "react-router";
import type { PersonalAccountInfo } from "@/calls/personal";
import { Panel } from "@/ui/Panel";
import { formatCents } from "@/ui/Price";
import { SoonTag } from "@/ui/SoonTag";

function Balance({
  title,
  cents,
  act,
  to,
}: {
  title: string;
  cents: number | undefined;
  act: string;
  to: string;
}) {
  return (
    <Box sx={{ p: 2.5, borderTop: 1, borderColor: "divider" }}>
      <Box sx={{ fontSize: 12, color: "text.secondary" }}>{title}（元）</Box>
      <Box sx={{ mt: 0.5, display: "flex", alignItems: "baseline", justifyContent: "space-between", gap: 2 }}>
        <Box sx={{ fontSize: 24, lineHeight: "32px", fontWeight: 600, fontVariantNumeric: "tabular-nums" }}>
          {cents === undefined ? "—" : formatCents(cents)}
        </Box>
        <Box component={Link} to={to} sx={{ color: "primary.main", textDecoration: "none" }}>
          {act}
          <SoonTag to={to} />
        </Box>
      </Box>
    </Box>
  );
}

/** The user's coin and income balances and coupons. */
export function BalancePanel({ account }: { account: PersonalAccountInfo | undefined }) {
  return (
    <Panel title="账户余额" tour="balance">
      <Balance title="云币" cents={account?.cloudCoin} act="充值" to="/workbench/account/accountRecharge" />
      <Balance
        title="收入"
        cents={account?.incomeBalance}
        act="提现"
        to="/workbench/account/accountWithdrawals"
      />
      <Box
        sx={{
          p: 2.5,
          borderTop: 1,
          borderColor: "divider",
          display: "flex",
          justifyContent: "space-between",
        }}
      >
        <span>
          优惠券{" "}
          <Box component="strong" sx={{ fontWeight: 600, fontVariantNumeric: "tabular-nums" }}>
            {account?.couponCount ?? "—"}
          </Box>{" "}
          张
          {Number(account?.expiringCouponCount ?? 0) > 0 && (
            <Box component="span" sx={{ ml: 1, color: "warning.main" }}>
              {account?.expiringCouponCount} 张即将到期
            </Box>
          )}
        </span>
        <Box
          component={Link}
          to="/workbench/account/myCoupon"
          sx={{ color: "primary.main", textDecoration: "none" }}
        >
          查看
        </Box>
      </Box>
    </Panel>
  );
}
