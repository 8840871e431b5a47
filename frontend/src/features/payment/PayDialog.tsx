import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { type ReactNode, useState } from "react";
import { useLocation } from "react-router";
import { serverNow } from "@/api";
import type { OrderOrderInfo } from "@/calls/order";
import { RechargeForm } from "@/features/coins";
import { shopMessages } from "@/messages/shop";
import { useSession } from "@/session";
import { useShop } from "@/shop";
import { paymentClosed } from "@/shop/slice";
import { useAppDispatch, useAppSelector } from "@/store/hooks";
import { goldButton, golden } from "@/theme";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { Countdown } from "@/ui/Countdown";
import { formatCents, Price } from "@/ui/Price";
import { ReadFailed } from "@/ui/ReadFailed";
import { LinesSkeleton } from "@/ui/Skeletons";
import { CouponPicker } from "./CouponPicker";
import { MethodList } from "./MethodList";
import { MEMBERSHIP, offersOf, shortOf, type Terms } from "./methods";
import { OrderSummary } from "./OrderSummary";
import { Outcome } from "./Outcome";
import { Paid } from "./Paid";
import { ConfirmPay, PayFailed, WechatCode } from "./PayDialogs";
import { PayFrame } from "./PayFrame";
import { type Payment, usePayment } from "./usePayment";

const PAY_WIDTH = 650;
const BLIND_BOX = "/activity/blindBox";

function Title({ children }: { children: string }) {
  return (
    <Box component="h3" sx={{ m: 0, mt: 3, mb: 1, fontSize: 14, fontWeight: 600 }}>
      {children}
    </Box>
  );
}

/** The changing parts of the payment; the frame stays mounted. */
interface Parts {
  title: string;
  width?: number;
  aside?: ReactNode;
  foot?: ReactNode;
  body: ReactNode;
}

/** Coupon and method; the amount to pay is in the foot. */
function choosing(
  payment: Payment,
  order: OrderOrderInfo,
  terms: Terms,
  isUploader: boolean,
  onRecharge: (short: number) => void,
): Parts {
  const offers = offersOf(order, terms, isUploader, payment.closed);
  const offer = offers.find((one) => one.method === payment.method);
  const usable = offer !== undefined && offer.disabled === undefined && shortOf(offer, terms.toPay) === 0;
  const counted = offer?.counts;
  const gold = order.functionModule === MEMBERSHIP;
  return {
    title: shopMessages.payTitle,
    foot: (
      <>
        <Box sx={{ flex: 1, minWidth: 0 }} aria-live="polite">
          <Box sx={{ fontSize: 12, lineHeight: "18px", color: "text.secondary" }}>
            应付金额
            {counted && `，${shopMessages.countsTaken(counted.needed)}`}
            {terms.off > 0 && `，已优惠 ¥${formatCents(terms.off)}`}
          </Box>
          <Box data-testid="to-pay" sx={{ color: gold ? golden.solid : "primary.main" }}>
            <Price cents={counted ? 0 : terms.toPay} size={28} />
          </Box>
        </Box>
        <Button
          variant="contained"
          size="large"
          onClick={payment.pay}
          loading={payment.busy}
          disabled={!usable}
          sx={{ flex: "none", minWidth: 136, ...(gold && goldButton) }}
        >
          立即支付
        </Button>
      </>
    ),
    body: (
      <>
        <OrderSummary order={order} />
        {order.canUseCoupon && (
          <>
            <Title>优惠券</Title>
            <CouponPicker order={order} chosen={payment.coupon} onTake={payment.take} />
          </>
        )}
        <Title>支付方式</Title>
        <MethodList
          offers={offers}
          chosen={payment.method}
          toPay={terms.toPay}
          gold={gold}
          onChoose={payment.choose}
          onRecharge={onRecharge}
        />
      </>
    ),
  };
}

/** The time left, by the server's clock. */
function Remaining({ order, onEnd }: { order: OrderOrderInfo; onEnd: () => void }) {
  // If the clock is slow, shows at most the whole payment period.
  const [latest] = useState(() => serverNow() + order.expireTime - order.createTime);
  return (
    <Box sx={{ fontSize: 12, color: "text.secondary", whiteSpace: "nowrap" }}>
      请在{" "}
      <Box component="span" sx={{ color: "#B45309", fontWeight: 600 }}>
        <Countdown until={Math.min(order.expireTime, latest)} clock={serverNow} onEnd={onEnd} />
      </Box>{" "}
      内完成
    </Box>
  );
}

function Recharge({ order, short, onBack }: { order: OrderOrderInfo; short: number; onBack: () => void }) {
  const shop = useShop();
  const { isNotJump } = useAppSelector((state) => state.shop.payConfig);
  return (
    <>
      <Box sx={{ mb: 2, color: "text.secondary" }}>
        还差 ¥{formatCents(short)}。充值到账后会回到原订单，优惠券请重新选择。
      </Box>
      <RechargeForm
        least={short}
        onOrder={(recharge) => shop.pay(recharge.orderId, { returnTo: order.orderId, isNotJump })}
      />
      <Button onClick={onBack} sx={{ mt: 2 }}>
        返回支付
      </Button>
    </>
  );
}

function AtAlipay({ payment }: { payment: Payment }) {
  const [asked, setAsked] = useState(false);
  return (
    <Outcome
      kind="over"
      title="请在新打开的支付宝页面完成付款"
      actions={
        <>
          <Button variant="outlined" onClick={payment.back}>
            选择其他支付方式
          </Button>
          <Button
            variant="contained"
            onClick={async () => {
              const over = await payment.check();
              setAsked(!over);
            }}
          >
            我已完成付款
          </Button>
        </>
      }
    >
      {asked ? "还没有收到付款结果，收到后本页会自动更新。" : "付款后本页会自动更新。"}
    </Outcome>
  );
}

function Over({ title, onClose }: { title: string; onClose: () => void }) {
  return (
    <Outcome
      kind="over"
      title={title}
      actions={
        <Button variant="contained" onClick={onClose}>
          知道了
        </Button>
      }
    />
  );
}

function Unread({ payment }: { payment: Payment }) {
  const { order } = payment;
  if (!order.isError) return <LinesSkeleton lines={8} />;
  return <ReadFailed dense what="订单" onRetry={order.refetch} />;
}

/** The payment of one order. Its state belongs to that order: remount it for another one. */
export function PayDialog({ orderId, couponId }: { orderId: string; couponId?: string }) {
  const dispatch = useAppDispatch();
  const { pathname } = useLocation();
  const { uploaderType } = useSession();
  const payment = usePayment(orderId, couponId);
  const [leaving, setLeaving] = useState(false);
  const [short, setShort] = useState(0);
  const { phase, terms } = payment;
  const order = payment.order.data;
  const close = () => dispatch(paymentClosed());
  const over = phase === "paid" || phase === "timedOut" || phase === "cancelled";
  // Leaving a blind box cancels its order, after a confirmation.
  const leave = () => (pathname === BLIND_BOX && !over ? setLeaving(true) : close());

  function parts(): Parts {
    const title = shopMessages.payTitle;
    if (!order || !terms) return { title, body: <Unread payment={payment} /> };
    if (phase === "paid") return { title, body: <Paid order={order} /> };
    if (phase === "timedOut") return { title, body: <Over title={shopMessages.timedOut} onClose={close} /> };
    if (phase === "cancelled")
      return { title, body: <Over title={shopMessages.cancelled} onClose={close} /> };
    const aside = <Remaining order={order} onEnd={payment.timeOut} />;
    if (phase === "alipay") {
      return { title: "支付宝", width: 480, aside, body: <AtAlipay payment={payment} /> };
    }
    if (short > 0) {
      const body = <Recharge order={order} short={short} onBack={() => setShort(0)} />;
      return { title: "充值云币", aside, body };
    }
    return { ...choosing(payment, order, terms, uploaderType > 0, setShort), aside };
  }

  const { body, width = PAY_WIDTH, ...frame } = parts();
  return (
    <>
      <PayFrame {...frame} width={width} onClose={leave}>
        {body}
      </PayFrame>
      {phase === "qr" && terms && (
        <WechatCode codeUrl={payment.codeUrl} toPay={terms.toPay} onClose={payment.back} />
      )}
      {phase === "confirm" && !payment.failure && order && terms && (
        <ConfirmPay
          method={payment.method}
          toPay={terms.toPay}
          gold={order.functionModule === MEMBERSHIP}
          balance={payment.method === "incomeBalance" ? order.incomeBalance : order.cloudCoin}
          busy={payment.busy}
          onConfirm={payment.confirm}
          onClose={payment.back}
        />
      )}
      {payment.failure && (
        <PayFailed
          failure={payment.failure}
          busy={payment.busy}
          onRetry={payment.retry}
          onClose={payment.forget}
        />
      )}
      <ConfirmDialog
        open={leaving}
        title={shopMessages.cancelQuestion}
        confirmText="取消订单"
        cancelText="继续支付"
        danger
        onConfirm={async () => {
          await payment.cancel();
          close();
        }}
        onClose={() => setLeaving(false)}
      >
        盲盒订单离开支付后会被取消。
      </ConfirmDialog>
    </>
  );
}
