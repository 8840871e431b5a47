import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import { shopMessages } from "@/messages/shop";
import { goldButton } from "@/theme";
import { formatCents, Price } from "@/ui/Price";
import { QrCode } from "@/ui/QrCode";
import { METHOD_NAMES, type Method } from "./methods";
import { Outcome } from "./Outcome";
import { PayFrame } from "./PayFrame";
import { phoneAddress } from "./sandbox";
import type { Failure } from "./usePayment";

const CONFIRM_WIDTH = 620;

function Line({ title, cents, strong = false }: { title: string; cents: number; strong?: boolean }) {
  return (
    <Box sx={{ display: "flex", justifyContent: "space-between", py: 1 }}>
      <Box component="dt" sx={{ color: "text.secondary" }}>
        {title}
      </Box>
      <Box component="dd" sx={{ m: 0, fontWeight: strong ? 600 : 400, fontVariantNumeric: "tabular-nums" }}>
        ¥{formatCents(cents)}
      </Box>
    </Box>
  );
}

/** Confirms a payment from the user's balance. */
export function ConfirmPay({
  method,
  toPay,
  gold,
  balance,
  busy,
  onConfirm,
  onClose,
}: {
  method: Method;
  toPay: number;
  gold: boolean;
  balance: number;
  busy: boolean;
  onConfirm: () => void;
  onClose: () => void;
}) {
  const name = METHOD_NAMES[method];
  return (
    <PayFrame
      title={`确认用${name}支付`}
      width={CONFIRM_WIDTH}
      onClose={busy ? () => undefined : onClose}
      foot={
        <Box sx={{ ml: "auto", display: "flex", gap: 1.5 }}>
          <Button onClick={onClose} disabled={busy} color="inherit">
            返回
          </Button>
          <Button
            variant="contained"
            onClick={onConfirm}
            loading={busy}
            autoFocus
            sx={{ ...(gold && goldButton) }}
          >
            确认支付 ¥{formatCents(toPay)}
          </Button>
        </Box>
      }
    >
      <Box component="dl" sx={{ m: 0 }}>
        <Line title="本次支付" cents={toPay} strong />
        <Line title={`${name}当前余额`} cents={balance} />
        <Line title="支付后余额" cents={balance - toPay} />
      </Box>
      {toPay === 0 && <Box sx={{ mt: 1, color: "text.secondary" }}>{shopMessages.nothingToPay}</Box>}
    </PayFrame>
  );
}

/** The QR code to scan; the payment is detected automatically. */
export function WechatCode({
  codeUrl,
  toPay,
  onClose,
}: {
  codeUrl: string;
  toPay: number;
  onClose: () => void;
}) {
  const phone = phoneAddress(codeUrl);
  return (
    <PayFrame title="微信扫码支付" width={420} onClose={onClose}>
      <Box sx={{ textAlign: "center" }}>
        <Price cents={toPay} size={32} />
        <Box
          sx={{ mt: 2, display: "inline-block", p: 1, border: 1, borderColor: "divider", borderRadius: 2 }}
        >
          <QrCode value={codeUrl} label="请用微信扫一扫" size={208} />
        </Box>
        <Box role="status" sx={{ mt: 2, fontSize: 12, color: "text.secondary" }}>
          付款后本页会自动更新，请不要关闭
        </Box>
        {phone && (
          <Box sx={{ mt: 1.5 }}>
            <Link href={phone} target="_blank" rel="noreferrer">
              模拟手机付款
            </Link>
          </Box>
        )}
        <Button onClick={onClose} sx={{ mt: 1.5 }}>
          选择其他支付方式
        </Button>
      </Box>
    </PayFrame>
  );
}

/** A failed payment, with a retry. */
export function PayFailed({
  failure,
  busy,
  onRetry,
  onClose,
}: {
  failure: Failure;
  busy: boolean;
  onRetry: () => void;
  onClose: () => void;
}) {
  return (
    <PayFrame title={shopMessages.failedTitle} width={420} onClose={onClose}>
      <Outcome
        kind="failed"
        title={failure.message}
        actions={
          <>
            <Button onClick={onClose} variant="outlined">
              返回
            </Button>
            <Button onClick={onRetry} loading={busy} variant="contained">
              {shopMessages.payAgain}
            </Button>
          </>
        }
      />
    </PayFrame>
  );
}
