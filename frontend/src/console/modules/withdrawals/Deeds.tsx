import Button from "@mui/material/Button";
import { useState } from "react";
import { toast } from "@/ui/toast";
import { messageOf } from "../../api/envelope";
import {
  type PaymentWithdrawalItem,
  useWithdrawalApproveMutation,
  useWithdrawalFailedMutation,
  useWithdrawalGiveBackMutation,
  useWithdrawalRefuseMutation,
  useWithdrawalTakeMutation,
} from "../../api/generated/payment";
import { DecisionBar } from "../../kit/reason";
import { useMay } from "../../session/slice";
import { APPROVALS, FAILURES, REFUSALS, RETURNS, yuan } from "./words";

/** Decisions possible in a withdrawal's state; the operator who pays it reports a failure at the bank. */
export function Deeds({ item, me }: { item: PaymentWithdrawalItem; me: string }) {
  const may = useMay();
  const [approve] = useWithdrawalApproveMutation();
  const [refuse] = useWithdrawalRefuseMutation();
  const [giveBack] = useWithdrawalGiveBackMutation();
  const [failed] = useWithdrawalFailedMutation();
  const { id, version, state } = item;
  const decide = may("withdrawal.decide");
  const mine = state === "paying" && item.paidBy === me && may("withdrawal.pay");
  const second = state === "checked";
  const checks = state === "requested" || second;
  return (
    <>
      <DecisionBar
        label="处理提现"
        decisions={[
          {
            id: "refuse",
            text: "拒绝",
            title: "拒绝提现",
            danger: true,
            allowed: decide && (checks || state === "approved"),
            shortcut: "R",
            note: "金额退回申请人的可用收入，原因会原样告诉申请人。",
            templates: REFUSALS,
            onConfirm: async (reason) => {
              await refuse({ id, version, reason }).unwrap();
              toast.success("已拒绝，金额已退回");
            },
          },
          {
            id: "approve",
            text: second ? "复核通过" : "通过",
            title: second ? "复核提现" : "通过提现",
            main: true,
            // The second approval must come from another operator.
            allowed: decide && checks && !(second && item.checkedBy === me),
            shortcut: "A",
            note:
              item.needsTwo && !second
                ? "大额提现：通过后还需另一位同事复核。原因只记入操作日志。"
                : "通过后进入打款。原因只记入操作日志。",
            templates: APPROVALS,
            onConfirm: async (reason) => {
              await approve({ id, version, reason }).unwrap();
              toast.success("已通过");
            },
          },
          {
            id: "giveBack",
            text: "退回打款",
            title: "退回打款",
            allowed: mine,
            note: "仅在尚未向银行提交时使用，退回后其他同事可以领取。",
            templates: RETURNS,
            onConfirm: async (reason) => {
              await giveBack({ id, version, reason }).unwrap();
              toast.success("已退回待打款");
            },
          },
          {
            id: "failed",
            text: "打款失败",
            title: "登记打款失败",
            danger: true,
            allowed: mine,
            note: `银行没有付出这笔款时使用：${yuan(item.amount)} 退回可用收入，原因会告诉申请人。`,
            templates: FAILURES,
            onConfirm: async (reason) => {
              await failed({ id, version, reason }).unwrap();
              toast.success("已登记，金额已退回");
            },
          },
        ]}
      />
      {state === "approved" && may("withdrawal.pay") && <TakeButton item={item} />}
    </>
  );
}

function TakeButton({ item: { id, version } }: { item: PaymentWithdrawalItem }) {
  const [take] = useWithdrawalTakeMutation();
  const [busy, setBusy] = useState(false);
  async function begin() {
    setBusy(true);
    try {
      await take({ id, version }).unwrap();
      toast.success("已领取，请向银行打款");
    } catch (error) {
      toast.error(messageOf(error) || "没有领取成功，请稍后重试");
    } finally {
      setBusy(false);
    }
  }
  return (
    <Button size="small" variant="contained" loading={busy} onClick={() => void begin()}>
      领取打款
    </Button>
  );
}
