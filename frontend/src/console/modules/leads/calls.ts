import { personalApi } from "../../api/generated/personal";

import { runQuery } from "../../api/run";

/** The phone number in clear; each view is logged. */
export async function phoneOf(id: string): Promise<string> {
  const call = personalApi.endpoints.leadPhone;
  const { phone } = await runQuery(call.initiate({ id }, { forceRefetch: true, subscribe: false }));
  return phone;
}
