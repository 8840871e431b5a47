import { useMemo } from "react";
import { orderEndpoints } from "@/calls/order";
import {
  useBatchPayModelsByMemberFreeCountMutation,
  useCloudCoinPayMutation,
  useIncomeBalancePayMutation,
  usePayByMemberFreeCountMutation,
  usePcAlipayMutation,
  useWeixinPayMutation,
} from "@/calls/payment";
import { useAppDispatch } from "@/store/hooks";
import { returnUrl, submitForm } from "./alipayForm";
import type { Method } from "./methods";

/** Result of a pay call. */
export type PayAnswer =
  | { kind: "paid" }
  | { kind: "code"; codeUrl: string }
  /** The browser is being sent to the cashier. */
  | { kind: "form" }
  /** The response has nothing to pay with. */
  | { kind: "invalid" }
  | { kind: "failed"; error: unknown };

export interface PayChoice {
  couponId: string;
  /** Discount in cents as the payer has seen it. */
  off: number;
  cashier: Window | null;
  /** Whether the order has several items. */
  batch: boolean;
}

/** All pay calls of an order behind one function. */
export function usePayCalls(orderId: string) {
  const dispatch = useAppDispatch();
  const [alipay] = usePcAlipayMutation();
  const [wechat] = useWeixinPayMutation();
  const [coin] = useCloudCoinPayMutation();
  const [income] = useIncomeBalancePayMutation();
  const [count] = usePayByMemberFreeCountMutation();
  const [counts] = useBatchPayModelsByMemberFreeCountMutation();
  return useMemo(() => {
    const pay = async (method: Method, { couponId, off, cashier, batch }: PayChoice): Promise<PayAnswer> => {
      if (method === "memberFree") {
        const { error } = await (batch ? counts : count)({ orderId });
        return error ? { kind: "failed", error } : { kind: "paid" };
      }
      const form = { orderId, couponId, coupon: couponId ? String(off) : "" };
      if (method === "alipay") {
        const { data, error } = await alipay({ ...form, return_url: returnUrl(orderId) });
        if (!error && data && submitForm(data, cashier)) return { kind: "form" };
        cashier?.close();
        return error ? { kind: "failed", error } : { kind: "invalid" };
      }
      if (method === "wechat") {
        const { data, error } = await wechat(form);
        if (error) return { kind: "failed", error };
        return data?.code_url ? { kind: "code", codeUrl: data.code_url } : { kind: "invalid" };
      }
      const { error } = await { cloudCoin: coin, incomeBalance: income }[method](form);
      return error ? { kind: "failed", error } : { kind: "paid" };
    };
    return Object.assign(pay, {
      /** Best effort: the result is ignored, the order may already be closed on the server. */
      cancelQuietly: () => dispatch(orderEndpoints.cancelOrder.initiate({ orderId }, { track: false })),
    });
  }, [dispatch, orderId, alipay, wechat, coin, income, count, counts]);
}
