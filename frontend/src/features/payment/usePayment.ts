import { useCallback, useEffect, useRef, useState } from "react";
import { apiErrorOf, codeOf, messageOf, NOT_OPEN } from "@/api";
import {
  type OrderCoupon,
  orderEndpoints,
  useCancelOrderMutation,
  useFindByOrderIdQuery,
  useGetByIdQuery,
} from "@/calls/order";
import { shopMessages } from "@/messages/shop";
import { useQueue } from "@/realtime";
import { ORDER_STATUS } from "@/shop/labels";
import { useAppDispatch } from "@/store/hooks";
import { openCashier } from "./alipayForm";
import { forcedMethod, type Method, termsOf } from "./methods";
import { usePayCalls } from "./usePayCalls";

/** Polling interval for an awaited payment, in milliseconds. */
export const POLL_MS = 6_000;

export type Phase =
  /** Choosing coupon and method. */
  | "choose"
  /** Confirming a payment from a balance. */
  | "confirm"
  | "qr"
  | "alipay"
  | "paid"
  | "timedOut"
  | "cancelled";

export interface Failure {
  message: string;
  /** The server could not be reached. */
  network: boolean;
}

/**
 * State of one payment from opening to end. It is lost with the dialog: reopened, no coupon is chosen.
 *
 * @param couponId coupon chosen when ordering; empty: none
 */
export function usePayment(orderId: string, couponId = "") {
  const dispatch = useAppDispatch();
  const order = useGetByIdQuery({ orderId }, { refetchOnMountOrArgChange: true });
  const [phase, setPhase] = useState<Phase>("choose");
  const [coupon, setCoupon] = useState<OrderCoupon>();
  const [chosen, setChosen] = useState<Method>("wechat");
  const [closed, setClosed] = useState<readonly Method[]>([]);
  const [failure, setFailure] = useState<Failure>();
  const [codeUrl, setCodeUrl] = useState("");
  const [busy, setBusy] = useState(false);
  const calls = usePayCalls(orderId);
  const [cancelCall] = useCancelOrderMutation();

  const info = order.data;
  const terms = info ? termsOf(info, coupon) : undefined;
  const method = terms?.forced ?? chosen;
  const waiting = phase === "qr" || phase === "alipay";

  /** Selects a coupon or none; selects WeChat unless another method is forced. */
  const take = (next: OrderCoupon | undefined) => {
    setCoupon(next);
    const toPay = info ? termsOf(info, next).toPay : 0;
    setChosen(forcedMethod(next, toPay) ?? "wechat");
  };
  const [brought, setBrought] = useState(couponId);
  if (brought !== "" && info) {
    setBrought("");
    take(info.couponList.find((one) => one.couponId === brought));
  }

  const alive = useRef(true);
  useEffect(() => {
    alive.current = true;
    return () => {
      alive.current = false;
    };
  }, []);

  /** Applies the order's status; returns true if that ends the payment. */
  const settle = useCallback((status: number | undefined): boolean => {
    if (!alive.current || status === undefined || status === ORDER_STATUS.toBePaid) return false;
    setFailure(undefined);
    if (status === ORDER_STATUS.paid) setPhase("paid");
    else setPhase(status === ORDER_STATUS.cancelled ? "cancelled" : "timedOut");
    return true;
  }, []);

  const poll = useFindByOrderIdQuery(
    { orderId },
    { skip: !waiting, pollingInterval: POLL_MS, refetchOnMountOrArgChange: true },
  );
  const polled = waiting ? poll.currentData?.status : undefined;
  useEffect(() => {
    settle(polled);
  }, [polled, settle]);
  // The order may have ended before the dialog opened.
  const known = info?.status;
  useEffect(() => {
    settle(known);
  }, [known, settle]);

  useQueue("PAY_WECHAT", (message) => {
    if (message.orderId !== orderId || phase === "paid") return;
    if (message.success) settle(ORDER_STATUS.paid);
    else if (phase === "qr") {
      setPhase("choose");
      setFailure({ message: shopMessages.wechatFailed, network: false });
    }
  });

  useQueue("ORDER", (message) => {
    if (message.orderId === orderId && phase !== "paid" && message.status !== ORDER_STATUS.closing)
      settle(message.status);
  });

  const ask = useCallback(async () => {
    const answer = await dispatch(
      orderEndpoints.findByOrderId.initiate({ orderId }, { forceRefetch: true, subscribe: false }),
    );
    return settle(answer.data?.status);
  }, [dispatch, orderId, settle]);

  async function fail(error: unknown, tried: Method) {
    if (!alive.current) return;
    setPhase("choose");
    if (apiErrorOf(error)?.kind === "network") {
      setFailure({ message: shopMessages.networkFailed, network: true });
      return;
    }
    if (codeOf(error) === NOT_OPEN) {
      setClosed((old) => [...old, tried]);
      return;
    }
    // Refused because the order has ended, perhaps paid elsewhere?
    if (await ask()) return;
    void order.refetch();
    if (alive.current) setFailure({ message: messageOf(error), network: false });
  }

  async function run(tried: Method) {
    if (!terms) return;
    setFailure(undefined);
    setBusy(true);
    // During the click, as popup blockers require.
    const cashier = tried === "alipay" ? openCashier() : null;
    const answer = await calls(tried, {
      couponId: coupon?.couponId ?? "",
      off: terms.off,
      cashier,
      batch: (info?.orderDetailList.length ?? 0) > 1,
    });
    if (!alive.current) return;
    setBusy(false);
    if (answer.kind === "failed") return fail(answer.error, tried);
    if (answer.kind === "invalid") {
      setPhase("choose");
      return setFailure({ message: shopMessages.orderInvalid, network: false });
    }
    if (answer.kind === "code") setCodeUrl(answer.codeUrl);
    setPhase(answer.kind === "code" ? "qr" : answer.kind === "form" ? "alipay" : "paid");
  }

  return {
    order,
    phase,
    terms,
    method,
    coupon,
    closed,
    failure,
    codeUrl,
    busy,
    choose: (next: Method) => setChosen(next),
    take,
    /** Payments from a balance are confirmed first. */
    pay: () => {
      if (method === "cloudCoin" || method === "incomeBalance") setPhase("confirm");
      else void run(method);
    },
    confirm: () => run(method),
    retry: () => void run(method),
    back: () => setPhase("choose"),
    forget: () => setFailure(undefined),
    /** Requests the order's status now. */
    check: ask,
    /** The payment period has expired: cancels the order, whatever the response. */
    timeOut: () => {
      if (phase === "paid" || phase === "cancelled" || phase === "timedOut") return;
      setFailure(undefined);
      setPhase("timedOut");
      void calls.cancelQuietly();
    },
    cancel: () => cancelCall({ orderId }),
  };
}

export type Payment = ReturnType<typeof usePayment>;
