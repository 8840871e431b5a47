import { paymentApi } from "../../api/generated/payment";
import { runQuery } from "../../api/run";

/** The calls about withdrawals, with what makes their caches stale. */
export const withdrawalApi = paymentApi.enhanceEndpoints({
  addTagTypes: ["Withdrawal", "Withdrawals"],
  endpoints: {
    paymentWithdrawalSearch: { providesTags: ["Withdrawals"] },
    paymentWithdrawalShow: { providesTags: ["Withdrawal"] },
    paymentWithdrawalApprove: { invalidatesTags: ["Withdrawal", "Withdrawals"] },
    paymentWithdrawalRefuse: { invalidatesTags: ["Withdrawal", "Withdrawals"] },
    paymentWithdrawalTake: { invalidatesTags: ["Withdrawal", "Withdrawals"] },
    paymentWithdrawalGiveBack: { invalidatesTags: ["Withdrawal", "Withdrawals"] },
    paymentWithdrawalPaid: { invalidatesTags: ["Withdrawal", "Withdrawals"] },
    paymentWithdrawalFailed: { invalidatesTags: ["Withdrawal", "Withdrawals"] },
  },
});

export const {
  usePaymentWithdrawalSearchQuery: useWithdrawalSearch,
  usePaymentWithdrawalShowQuery: useWithdrawalShow,
  usePaymentWithdrawalApproveMutation: useApprove,
  usePaymentWithdrawalRefuseMutation: useRefuse,
  usePaymentWithdrawalTakeMutation: useTake,
  usePaymentWithdrawalGiveBackMutation: useGiveBack,
  usePaymentWithdrawalPaidMutation: usePaid,
  usePaymentWithdrawalFailedMutation: useFailed,
} = withdrawalApi;

/** The card in clear. Each question stands in the log, and no cache keeps its answer. */
export const cardInClear = (id: string) =>
  runQuery(
    withdrawalApi.endpoints.paymentWithdrawalCard.initiate({ id }, { forceRefetch: true, subscribe: false }),
  );
