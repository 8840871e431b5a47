import { paymentApi } from "../../api/generated/payment";
import { runQuery } from "../../api/run";

/** The card in clear. Each call is logged, and its result is not cached. */
export const cardInClear = (id: string) =>
  runQuery(paymentApi.endpoints.withdrawalCard.initiate({ id }, { forceRefetch: true, subscribe: false }));
