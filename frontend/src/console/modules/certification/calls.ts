import { authApi } from "../../api/generated/auth";
import { runQuery } from "../../api/run";

/** One part in clear. Each question stands in the log, and no cache keeps its answer. */
export const reveal = (id: string, part: string) =>
  runQuery(
    authApi.endpoints.certificationReveal.initiate({ id, part }, { forceRefetch: true, subscribe: false }),
  );
