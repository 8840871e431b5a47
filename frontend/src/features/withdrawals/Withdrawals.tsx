import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useState } from "react";
import { useQueryCardListQuery, useWithdrawListQuery } from "@/calls/payment";
import { useSession } from "@/session";
import { useListAddress } from "@/ui/list";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { formatCents } from "@/ui/Price";
import { ReadFailed } from "@/ui/ReadFailed";
import { useWindowReturn } from "@/ui/useWindowReturn";
import { Cards } from "./Cards";
import { RequestDialog } from "./RequestDialog";
import { WithdrawalTable } from "./WithdrawalTable";

function Sum({ title, cents, hint }: { title: string; cents: number | undefined; hint: string }) {
  return (
    <Box component="section" aria-label={title} sx={{ p: 2.5, minWidth: 0 }}>
      <Box sx={{ fontSize: 12, color: "text.secondary" }}>{title}（元）</Box>
      <Box
        sx={{
          mt: 0.5,
          fontSize: 24,
          lineHeight: "32px",
          fontWeight: 600,
          fontVariantNumeric: "tabular-nums",
        }}
      >
        {cents === undefined ? "—" : formatCents(cents)}
      </Box>
      <Box sx={{ mt: 0.5, fontSize: 12, color: "text.secondary" }}>{hint}</Box>
    </Box>
  );
}

/** Available amount, cards, and all withdrawals. */
export function Withdrawals() {
  const { loginId: userId } = useSession();
  const list = useListAddress();
  const [asking, setAsking] = useState(false);
  const withdrawals = useWithdrawListQuery({ userId, ...list.request }, { refetchOnMountOrArgChange: true });
  useWindowReturn(withdrawals.refetch);
  const cards = useQueryCardListQuery({ userId });
  const data = withdrawals.data;
  const has = cards.data?.results ?? [];
  const enough = data !== undefined && data.incomeBalance >= data.least;
  return (
    <>
      <PageHeader
        title="收入提现"
        note="可用收入可以提现到本人的银行卡，审核后由银行打款"
        actions={
          <Button variant="contained" disabled={!enough || has.length === 0} onClick={() => setAsking(true)}>
            申请提现
          </Button>
        }
      />
      <Box sx={{ display: "grid", gap: 3, gridTemplateColumns: "minmax(0,1fr)" }}>
        <Panel title="收入余额" more={{ text: "收入明细", to: "/workbench/myIncome" }}>
          <Box sx={{ display: "grid", gridTemplateColumns: { xs: "1fr", sm: "repeat(3, 1fr)" } }}>
            <Sum title="可提现" cents={data?.incomeBalance} hint={leastHint(data)} />
            <Sum title="提现中" cents={data?.held} hint="审核或打款期间冻结，不能用于支付" />
            <Sum title="待抵扣" cents={data?.debt} hint="已结算后退款的部分，由后续收入抵扣" />
          </Box>
        </Panel>
        <Panel title="银行卡">
          {cards.isError ? (
            <ReadFailed what="银行卡" onRetry={cards.refetch} />
          ) : (
            <Cards cards={has} most={cards.data?.most ?? 0} loading={cards.isLoading} />
          )}
        </Panel>
        <Panel title="提现记录">
          <WithdrawalTable query={withdrawals} list={list} />
        </Panel>
      </Box>
      {asking && data && <RequestDialog cards={has} terms={data} onClose={() => setAsking(false)} />}
    </>
  );
}

function leastHint(terms: { least: number; incomeBalance: number } | undefined): string {
  if (!terms) return "";
  const least = `单笔最低 ${formatCents(terms.least)} 元`;
  return terms.incomeBalance < terms.least ? `${least}，余额不足` : least;
}
