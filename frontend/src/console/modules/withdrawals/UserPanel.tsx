import { type Column, DataTable } from "@/ui/DataTable";
import { type PaymentWithdrawalItem, useWithdrawalSearchQuery } from "../../api/generated/payment";
import { minute } from "../../kit/format";
import { RowLink } from "../../kit/RowLink";
import { State } from "../../kit/State";
import { Loaded, Nothing } from "../../kit/states";
import { pathOf, STATES, yuan } from "./words";

const SHOWN = 10;

const COLUMNS: readonly Column<PaymentWithdrawalItem>[] = [
  {
    key: "amount",
    title: "金额",
    render: (item) => <RowLink to={pathOf(item.id)}>{yuan(item.amount)}</RowLink>,
  },
  { key: "state", title: "状态", render: (item) => <State words={STATES} value={item.state} /> },
  { key: "when", title: "申请时间", secondary: true, render: (item) => minute(item.requestedAt) },
];

/** Pending payouts on the user's page. */
export default function UserPanel({ loginId }: { loginId: string }) {
  const query = useWithdrawalSearchQuery({ loginId, size: SHOWN }, { refetchOnMountOrArgChange: true });
  return (
    <Loaded query={query} what="提现">
      {({ withdrawals }) => (
        <DataTable
          caption="该用户待办的提现"
          columns={COLUMNS}
          rows={withdrawals}
          rowKey={({ id }) => id}
          empty={<Nothing title="没有待办的提现" />}
        />
      )}
    </Loaded>
  );
}
