import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { type FormEvent, useState } from "react";
import { toast } from "@/ui/toast";
import { messageOf } from "../../api/envelope";
import { type PaymentWithdrawalItem, useWithdrawalPaidMutation } from "../../api/generated/payment";
import { Card, Facts } from "../../kit/page";
import { SecretField } from "../../kit/secret";
import { TextInput } from "../../kit/TextInput";
import { cardInClear } from "./calls";
import { yuan } from "./words";

const REFERENCE = /^[0-9A-Za-z-]{4,64}$/;

/** For the operator who pays it: the card in clear, and the bank's reference once it is paid. */
export function PayCard({ item }: { item: PaymentWithdrawalItem }) {
  const { id, version } = item;
  const [paid] = useWithdrawalPaidMutation();
  const [reference, setReference] = useState("");
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (!REFERENCE.test(reference.trim())) {
      setProblem("请填写银行流水号：4 至 64 位字母、数字或 -");
      return;
    }
    setBusy(true);
    setProblem("");
    try {
      await paid({ id, version, reference: reference.trim() }).unwrap();
      toast.success("已登记打款");
    } catch (error) {
      setProblem(messageOf(error) || "没有登记成功，请稍后重试");
    } finally {
      setBusy(false);
    }
  }

  const field = (
    label: string,
    masked: string,
    of: (card: Awaited<ReturnType<typeof cardInClear>>) => string,
  ) =>
    [
      label,
      <SecretField
        key={label}
        label={label}
        masked={masked}
        reveal={async () => of(await cardInClear(id)) || "未填写"}
      />,
    ] as const;
  return (
    <Card title="打款">
      <Facts
        facts={[
          ["应打款", yuan(item.amount - item.fee)],
          field("卡号", `**** **** **** ${item.last4}`, (card) => card.cardNo),
          field("户名", item.holder || "***", (card) => card.holder),
          field("开户支行", "***", (card) => card.branch),
        ]}
      />
      <Box component="form" noValidate onSubmit={submit} sx={{ mt: 2 }}>
        <TextInput
          label="银行流水号"
          value={reference}
          problem={problem}
          hint="向银行打款成功后登记；登记后不能撤销。"
          max={64}
          onChange={setReference}
        />
        <Button type="submit" variant="contained" loading={busy}>
          登记已打款
        </Button>
      </Box>
    </Card>
  );
}
