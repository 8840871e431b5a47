import { paymentApi } from "@/api/generated/payment";

export type * from "@/api/generated/payment";

/** Paying, and the entries of an account: the calls with their tags, and which of them load in the background. */
const api = paymentApi.enhanceEndpoints({
  addTagTypes: ["Account", "Cards", "Me", "Withdrawals"],
  endpoints: {
    // The payment dialog tells their failures, each with its way on.
    paymentPcAlipay: { extraOptions: { silent: true } },
    paymentWeixinPay: { extraOptions: { silent: true } },
    paymentCloudCoinPay: { extraOptions: { silent: true } },
    paymentIncomeBalancePay: { extraOptions: { silent: true } },
    paymentPayByMemberFreeCount: { extraOptions: { silent: true } },
    paymentBatchPayModelsByMemberFreeCount: { extraOptions: { silent: true } },
    paymentMemberFreeCounts: { providesTags: ["Account"], extraOptions: { background: true } },
    paymentQueryCardList: { providesTags: ["Cards"], extraOptions: { background: true } },
    paymentModifyBank: { invalidatesTags: ["Cards"] },
    paymentDeletCard: { invalidatesTags: ["Cards"] },
    paymentWithdrawList: { providesTags: ["Withdrawals"], extraOptions: { background: true } },
    // What was refused may be another tab's doing: the list is asked again either way.
    paymentManualCheck: { invalidatesTags: ["Account", "Me", "Withdrawals"] },
    paymentCancelWithdrawal: { invalidatesTags: ["Account", "Me", "Withdrawals"] },
    paymentIncomeMonths: { providesTags: ["Account"], extraOptions: { background: true } },
    paymentListIncomes: { providesTags: ["Account"], extraOptions: { background: true } },
    paymentQueryAccountDetails: { providesTags: ["Account"], extraOptions: { background: true } },
  },
});

export const {
  usePaymentBatchPayModelsByMemberFreeCountMutation,
  usePaymentCancelWithdrawalMutation,
  usePaymentCloudCoinPayMutation,
  usePaymentDeletCardMutation,
  usePaymentIncomeBalancePayMutation,
  useLazyPaymentListIncomesQuery,
  usePaymentIncomeMonthsQuery,
  usePaymentManualCheckMutation,
  usePaymentMemberFreeCountsQuery,
  usePaymentModifyBankMutation,
  usePaymentQueryCardListQuery,
  usePaymentWithdrawListQuery,
  usePaymentListIncomesQuery,
  usePaymentPayByMemberFreeCountMutation,
  usePaymentPcAlipayMutation,
  usePaymentQueryAccountDetailsQuery,
  usePaymentWeixinPayMutation,
} = api;

/** For calls outside components. */
export const paymentEndpoints = api.endpoints;
