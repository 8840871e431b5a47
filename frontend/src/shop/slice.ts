import { createAction, createSlice, type PayloadAction } from "@reduxjs/toolkit";
import { signedOut } from "@/session/slice";
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
  /**
   * The payment dialog; an empty order: closed. `returnTo` is the order to go on with afterwards, `couponId` the coupon
   * that was chosen with the purchase.
   */
  payment: { orderId: string; returnTo: string; couponId?: string };
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

const slice = createSlice({
  name: "shop",
  initialState,
  reducers: {
    purchaseOpened(state, { payload }: PayloadAction<PaidGrade | null>) {
      state.purchase = { open: true, grade: payload };
    },
    purchaseClosed(state) {
      state.purchase.open = false;
    },
    payConfigured(state, { payload }: PayloadAction<Partial<PayConfig>>) {
      state.payConfig = { ...state.payConfig, ...payload };
    },
    paymentOpened(
      state,
      {
        payload,
      }: PayloadAction<{ orderId: string; returnTo?: string; couponId?: string; isNotJump?: boolean }>,
    ) {
      state.purchase.open = false;
      state.payment = {
        orderId: payload.orderId,
        returnTo: payload.returnTo ?? "",
        couponId: payload.couponId,
      };
      state.payConfig.isNotJump = payload.isNotJump ?? false;
    },
    paymentClosed(state) {
      state.payment = { orderId: "", returnTo: "" };
    },
    giftToggled(state, { payload }: PayloadAction<boolean>) {
      state.giftOpen = payload;
    },
  },
  extraReducers: (builder) => {
    builder.addCase(signedOut, () => initialState);
  },
});

export const { purchaseOpened, purchaseClosed, payConfigured, paymentOpened, paymentClosed, giftToggled } =
  slice.actions;
export const shopReducer = slice.reducer;
