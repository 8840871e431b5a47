import { addListener } from "@reduxjs/toolkit";
import { useEffect, useMemo, useRef } from "react";
import { currentPath } from "@/lib/navigation";
import { useAuthDialog, useSession } from "@/session";
import { useAppDispatch } from "@/store/hooks";
import { giftToggled, type PaidGrade, paymentOpened, paymentSucceeded, purchaseOpened } from "./slice";

export { type PaidGrade, type PayConfig, paymentSucceeded } from "./slice";

/** The query that opens the purchase dialog: a grade, or `current`. */
export const BUY_QUERY = "buy";

/** An address that opens the purchase dialog over its page. */
export function buyAddress(path: string, grade: PaidGrade | null): string {
  const url = new URL(path, window.location.origin);
  url.searchParams.set(BUY_QUERY, grade ?? "current");
  return `${url.pathname}${url.search}${url.hash}`;
}

/** Calls the handler when an order has been paid without leaving the page. */
export function usePaid(handler: (orderId: string) => void): void {
  const dispatch = useAppDispatch();
  const latest = useRef(handler);
  useEffect(() => {
    latest.current = handler;
  });
  useEffect(
    () =>
      dispatch(
        addListener({
          actionCreator: paymentSucceeded,
          effect: ({ payload }) => latest.current(payload.orderId),
        }),
      ),
    [dispatch],
  );
}

export interface Shop {
  /** Opens the purchase dialog; a visitor signs in first and returns to it. */
  buy: (grade?: PaidGrade) => void;
  pay: (orderId: string, options?: { returnTo?: string; couponId?: string; isNotJump?: boolean }) => void;
  gift: () => void;
}

/** The shop's dialogs, over any page. */
export function useShop(): Shop {
  const dispatch = useAppDispatch();
  const { signedIn } = useSession();
  const auth = useAuthDialog();
  return useMemo(
    () => ({
      buy: (grade) => {
        if (signedIn) dispatch(purchaseOpened(grade ?? null));
        else auth.open("login", { returnURL: buyAddress(currentPath(), grade ?? null) });
      },
      pay: (orderId, options) => dispatch(paymentOpened({ orderId, ...options })),
      gift: () => dispatch(giftToggled(true)),
    }),
    [dispatch, signedIn, auth],
  );
}
