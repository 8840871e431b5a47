import { authApi } from "../../api/generated/auth";
import { runQuery } from "../../api/run";
import { wordOf } from "../../kit/choices";
import type { SearchHit } from "../../kit/contract";
import { minute } from "../../kit/format";
import { KINDS, pathOf, STATES, titleOf } from "./words";

const MOST_HITS = 6;
const ID = /^[0-9a-z]{20,64}$/i;

/** Requests of the account with this login id. */
export async function findCertifications(text: string, signal: AbortSignal): Promise<readonly SearchHit[]> {
  const loginId = text.trim();
  if (!ID.test(loginId)) return [];
  const { items } = await runQuery(
    authApi.endpoints.certificationQueue.initiate({ loginId, state: "all", size: MOST_HITS }),
    signal,
  );
  return items.map((item) => ({
    title: `${wordOf(KINDS, item.kind).text}认证：${titleOf(item)}`,
    detail: `${wordOf(STATES, item.state).text} · ${minute(item.submittedAt)}`,
    to: pathOf(item.id),
  }));
}
