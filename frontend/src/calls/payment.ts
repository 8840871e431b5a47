import { paymentApi } from "@/api/generated/payment";

export type * from "@/api/generated/payment";

/** Paying, and the entries of an account: the calls with their tags, and which of them load in the background. */
const api = paymentApi.enhanceEndpoints({
  addTagTypes: ["Account"],
  endpoints: {
    // The payment dialog tells their failures, each with its way on.
    paymentPcAlipay: { extraOptions: { silent: true } },
    paymentWeixinPay: { extraOptions: { silent: true } },
    paymentCloudCoinPay: { extraOptions: { silent: true } },
    paymentIncomeBalancePay: { extraOptions: { silent: true } },
    paymentQueryAccountDetails: { providesTags: ["Account"], extraOptions: { background: true } },
  },
});

export const {
  usePaymentCloudCoinPayMutation,
  usePaymentIncomeBalancePayMutation,
  usePaymentPcAlipayMutation,
  usePaymentQueryAccountDetailsQuery,
  usePaymentWeixinPayMutation,
} = api;

/** For calls outside components. */
export const paymentEndpoints = api.endpoints;
