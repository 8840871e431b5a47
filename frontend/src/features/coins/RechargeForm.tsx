import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import InputAdornment from "@mui/material/InputAdornment";
import TextField from "@mui/material/TextField";
import { useState } from "react";
import { type OrderOrderInfo, useCreateRechargeOrderMutation } from "@/calls/order";
import { RECHARGE_MAX, RECHARGE_MIN } from "@/facts/shop";
import { centsOf, priceLimit, yuanText } from "@/lib/yuan";
import { formatCents } from "@/ui/Price";
import { amountProblem } from "./amount";

/** Yuan; whole amounts without decimals. */
const shown = (cents: number) => formatCents(cents).replace(/\.00$/, "");

/** Transaction type of a recharge. */
const RECHARGE = 0;
const RANGE = `${shown(RECHARGE_MIN)} 元到 ${shown(RECHARGE_MAX)} 元，1 元等于 1 云币`;
/** Yuan. */
const OFFERED = [50, 100, 200, 500, 1000, 2000] as const;

/**
 * Creates a recharge order.
 *
 * @param least missing cents: the initial amount
 */
export function RechargeForm({
  least = 0,
  onOrder,
}: {
  least?: number;
  onOrder: (order: OrderOrderInfo) => void;
}) {
  const [text, setText] = useState(() => (least > 0 ? yuanText(Math.max(least, RECHARGE_MIN)) : "100"));
  const [tried, setTried] = useState(false);
  const [create, creating] = useCreateRechargeOrderMutation();
  const problem = amountProblem(text);
  const cents = centsOf(text);

  async function submit() {
    setTried(true);
    if (problem || !cents) return;
    const { data } = await create({ amount: cents, orderType: RECHARGE, rechargePackageType: "" });
    if (data) onOrder(data);
  }

  return (
    <Box
      component="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Box
        role="group"
        aria-label="充值金额"
        sx={{
          display: "grid",
          gap: 1.5,
          gridTemplateColumns: { xs: "repeat(2, 1fr)", sm: "repeat(3, 1fr)" },
        }}
      >
        {OFFERED.map((yuan) => {
          const active = cents === yuan * 100;
          return (
            <Button
              key={yuan}
              variant="outlined"
              size="large"
              aria-pressed={active}
              onClick={() => setText(String(yuan))}
              sx={{
                fontVariantNumeric: "tabular-nums",
                color: active ? "primary.dark" : "text.primary",
                borderColor: active ? "primary.main" : "divider",
                backgroundColor: (theme) => (active ? theme.tokens.primarySoft : "background.paper"),
              }}
            >
              ¥{yuan.toLocaleString("zh-CN")}
            </Button>
          );
        })}
      </Box>
      <Box sx={{ mt: 2, display: "flex", gap: 1.5, alignItems: "flex-start", flexWrap: "wrap" }}>
        <TextField
          label="其他金额"
          value={text}
          onChange={(event) => setText(priceLimit(event.target.value))}
          error={tried && problem !== undefined}
          helperText={(tried && problem) || RANGE}
          slotProps={{
            input: { startAdornment: <InputAdornment position="start">¥</InputAdornment> },
            htmlInput: { inputMode: "decimal" },
          }}
          sx={{ flex: 1, minWidth: 200 }}
        />
        <Button type="submit" variant="contained" size="large" loading={creating.isLoading}>
          充值
        </Button>
      </Box>
    </Box>
  );
}
