import { paymentApi } from "../../api/generated/payment";
import { runQuery } from "../../api/run";

/** The card in clear. Each question stands in the log, and no cache keeps its answer. */
export const cardInClear = (id: string) =>
  runQuery(paymentApi.endpoints.withdrawalCard.initiate({ id }, { forceRefetch: true, subscribe: false }));
