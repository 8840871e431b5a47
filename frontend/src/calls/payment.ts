import { paymentApi } from "@/api/generated/payment";

export * from "@/api/generated/payment";

// The payment dialog shows their failures, each with its next step.
const silent = { extraOptions: { silent: true } };

paymentApi.enhanceEndpoints({
  endpoints: {
    pcAlipay: silent,
    weixinPay: silent,
    cloudCoinPay: silent,
    incomeBalancePay: silent,
    payByMemberFreeCount: silent,
    batchPayModelsByMemberFreeCount: silent,
  },
});

/** For calls outside components. */
export const paymentEndpoints = paymentApi.endpoints;
