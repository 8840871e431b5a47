import Box from "@mui/material/Box";
import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import { useRef, useState } from "react";
import { type PaymentBankCard, type PaymentWithdrawList, useManualCheckMutation } from "@/calls/payment";
import { centsOf, priceLimit, yuanText } from "@/lib/yuan";
import { useSession } from "@/session";
import { FormDialog } from "@/ui/FormDialog";
import { formatCents } from "@/ui/Price";
import { toast } from "@/ui/toast";
import { amountProblem, cardName, feeOf } from "./rules";

/**
 * Requests a withdrawal. The same amount to the same card keeps its request number, so a retry after a lost response is
 * idempotent.
 */
export function RequestDialog({
  cards,
  terms,
  onClose,
}: {
  cards: readonly PaymentBankCard[];
  terms: PaymentWithdrawList;
  onClose: () => void;
}) {
  const { loginId: userId } = useSession();
  const [cardId, setCardId] = useState(cards[0]?.id ?? "");
  const [text, setText] = useState(() => yuanText(Math.min(terms.incomeBalance, terms.most)));
  const [tried, setTried] = useState(false);
  const [ask, { isLoading }] = useManualCheckMutation();
  const numbered = useRef({ of: "", requestNo: "" });
  const problem = amountProblem(text, terms);
  const cents = centsOf(text) ?? 0;
  const fee = problem ? 0 : feeOf(cents, terms);

  async function submit() {
    setTried(true);
    if (problem) return;
    const of = `${cardId}:${cents}`;
    if (numbered.current.of !== of) numbered.current = { of, requestNo: crypto.randomUUID() };
    const { requestNo } = numbered.current;
    const answer = await ask({ userId, requestNo, cardId, amount: cents });
    if (answer.error) return;
    toast.success("提现申请已提交，审核后打款");
    onClose();
  }

  return (
    <FormDialog
      title="申请提现"
      note="提交后金额冻结，审核通过由银行打款；未通过或打款失败会退回可用收入。"
      confirmText="提交申请"
      busy={isLoading}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <TextField
        select
        fullWidth
        label="收款银行卡"
        value={cardId}
        onChange={(event) => setCardId(event.target.value)}
        sx={{ mt: 1 }}
      >
        {cards.map((card) => (
          <MenuItem key={card.id} value={card.id}>
            {cardName(card)}
          </MenuItem>
        ))}
      </TextField>
      <TextField
        fullWidth
        label="提现金额（元）"
        value={text}
        onChange={(event) => setText(priceLimit(event.target.value))}
        error={tried && problem !== undefined}
        helperText={
          (tried && problem) ||
          `可提现 ${formatCents(terms.incomeBalance)} 元，单笔最低 ${formatCents(terms.least)} 元`
        }
        slotProps={{ htmlInput: { inputMode: "decimal" } }}
        sx={{ mt: 2 }}
      />
      <Box aria-live="polite" sx={{ mt: 2, fontSize: 13, color: "text.secondary" }}>
        手续费 {formatCents(fee)} 元，预计到账 {formatCents(problem ? 0 : cents - fee)} 元
      </Box>
    </FormDialog>
  );
}
