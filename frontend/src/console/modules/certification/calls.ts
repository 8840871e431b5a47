import { authApi } from "../../api/generated/auth";
import { runQuery } from "../../api/run";

/** One part in clear. Each call is logged, and its result is not cached. */
export const reveal = (id: string, part: string) =>
  runQuery(
    authApi.endpoints.certificationReveal.initiate({ id, part }, { forceRefetch: true, subscribe: false }),
  );
