import { createAction } from "@reduxjs/toolkit";
import { signedOut } from "@/session/slice";
import { slice } from "@/store/slice";
import type { Grade } from "@/ui/MemberBadge";

export type PaidGrade = Exclude<Grade, "free">;

/** What a purchase was begun with. */
export interface PayConfig {
  memberGradeId: string;
  /** 0: there are annual cards only. */
  isMonthly: number;
  /** Whether the buyer is a member already. */
  isMember: boolean;
  /** Success emits `paymentSucceeded` instead of leaving the page. */
  isNotJump: boolean;
}

export interface ShopState {
  /** The purchase dialog; `grade` is the tab asked for, null the one of the current grade. */
  purchase: { open: boolean; grade: PaidGrade | null };
  /** The payment dialog; an empty order: closed. `returnTo` is the order to go on with afterwards. */
  payment: { orderId: string; returnTo: string };
  payConfig: PayConfig;
  giftOpen: boolean;
}

const initialState: ShopState = {
  purchase: { open: false, grade: null },
  payment: { orderId: "", returnTo: "" },
  payConfig: { memberGradeId: "", isMonthly: 0, isMember: false, isNotJump: false },
  giftOpen: false,
};

/** An order was paid on a page that stays where it is. */
export const paymentSucceeded = createAction<{ orderId: string }>("shop/paymentSucceeded");

const { actions, reducer } = slice(
  "shop",
  initialState,
  {
    purchaseOpened: (state, grade: PaidGrade | null): ShopState => ({
      ...state,
      purchase: { open: true, grade },
    }),
    purchaseClosed: (state): ShopState => ({ ...state, purchase: { ...state.purchase, open: false } }),
    payConfigured: (state, changes: Partial<PayConfig>): ShopState => ({
      ...state,
      payConfig: { ...state.payConfig, ...changes },
    }),
    paymentOpened: (
      state,
      {
        orderId,
        returnTo = "",
        isNotJump = false,
      }: { orderId: string; returnTo?: string; isNotJump?: boolean },
    ): ShopState => ({
      ...state,
      purchase: { ...state.purchase, open: false },
      payment: { orderId, returnTo },
      payConfig: { ...state.payConfig, isNotJump },
    }),
    paymentClosed: (state): ShopState => ({ ...state, payment: { orderId: "", returnTo: "" } }),
    giftToggled: (state, giftOpen: boolean): ShopState => ({ ...state, giftOpen }),
  },
  (state, action) => (signedOut.match(action) ? initialState : state),
);

export const { purchaseOpened, purchaseClosed, payConfigured, paymentOpened, paymentClosed, giftToggled } =
  actions;
export const shopReducer = reducer;
