import { createAction, createSlice, type PayloadAction } from "@reduxjs/toolkit";
import { signedOut } from "@/session/slice";
import type { Grade } from "@/ui/MemberBadge";

export type PaidGrade = Exclude<Grade, "free">;

/** Parameters of a purchase. */
export interface PayConfig {
  memberGradeId: string;
  /** 0: only annual cards exist. */
  isMonthly: number;
  /** Whether the buyer is a member already. */
  isMember: boolean;
  /** Success emits `paymentSucceeded` instead of leaving the page. */
  isNotJump: boolean;
}

export interface ShopState {
  /** The purchase dialog; `grade` is the selected tab, null means that of the current grade. */
  purchase: { open: boolean; grade: PaidGrade | null };
  /**
   * The payment dialog; closed if the order is empty. `returnTo` is the order to continue with afterwards, `couponId` the
   * coupon chosen with the purchase.
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

/** An order was paid without leaving the page. */
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
