import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useState } from "react";
import {
  type PaymentWithdrawal,
  type PaymentWithdrawList,
  useCancelWithdrawalMutation,
} from "@/calls/payment";
import { useSession } from "@/session";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import type { Column } from "@/ui/DataTable";
import { dateText } from "@/ui/dateText";
import { ListPage, type ListQuery, type ListState } from "@/ui/list";
import { formatCents } from "@/ui/Price";
import { StatusTag } from "@/ui/StatusTag";
import { toast } from "@/ui/toast";
import { cardName } from "./rules";
import { WITHDRAWAL_STATES } from "./states";

function State({ row }: { row: PaymentWithdrawal }) {
  const state = WITHDRAWAL_STATES[row.state];
  const note = row.reason || (row.reference && `流水号 ${row.reference}`);
  return (
    <>
      <StatusTag tone={state?.tone}>{state?.text ?? row.state}</StatusTag>
      {note && (
        <Box sx={{ mt: 0.5, fontSize: 12, color: "text.secondary", overflowWrap: "anywhere" }}>{note}</Box>
      )}
    </>
  );
}

/** All withdrawals with their states; those not yet under review can be cancelled. */
export function WithdrawalTable({ query, list }: { query: ListQuery<PaymentWithdrawList>; list: ListState }) {
  const { loginId: userId } = useSession();
  const [leaving, setLeaving] = useState<PaymentWithdrawal>();
  const [cancel] = useCancelWithdrawalMutation();
  const columns: readonly Column<PaymentWithdrawal>[] = [
    { key: "time", title: "申请时间", render: (row) => dateText(row.createTime) },
    { key: "card", title: "收款银行卡", secondary: true, render: cardName },
    { key: "amount", title: "金额", numeric: true, render: (row) => `¥${formatCents(row.amount)}` },
    {
      key: "arrives",
      title: "到账",
      numeric: true,
      secondary: true,
      render: (row) => `¥${formatCents(row.amount - row.fee)}`,
    },
    { key: "state", title: "状态", render: (row) => <State row={row} /> },
    {
      key: "act",
      title: "操作",
      render: (row) =>
        row.state === "requested" && (
          <Button size="small" onClick={() => setLeaving(row)}>
            撤回
          </Button>
        ),
    },
  ];
  return (
    <>
      <ListPage
        dense
        what="提现记录"
        query={query}
        list={list}
        columns={columns}
        rowKey={(row) => row.id}
        empty={{ kind: "results", title: "还没有提现", hint: "申请提现后，进度会列在这里。" }}
      />
      <ConfirmDialog
        open={leaving !== undefined}
        title="撤回提现申请"
        confirmText="撤回"
        onClose={() => setLeaving(undefined)}
        onConfirm={async () => {
          const answer = await cancel({ userId, withdrawalId: leaving?.id ?? "" });
          setLeaving(undefined);
          if (!answer.error) toast.success("申请已撤回，金额已退回可用收入");
        }}
      >
        {leaving && `撤回后 ${formatCents(leaving.amount)} 元退回可用收入。`}
      </ConfirmDialog>
    </>
  );
}
