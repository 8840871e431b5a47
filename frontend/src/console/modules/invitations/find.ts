import { authApi } from "../../api/generated/auth";
import { runQuery } from "../../api/run";
import { wordOf } from "../../kit/choices";
import type { SearchHit } from "../../kit/contract";
import { minute } from "../../kit/format";
import { nameOf, pathOf, STATES } from "./words";

const MOST_HITS = 6;
const ID = /^[0-9a-z]{20,64}$/i;

/** Pairs that contain the account with this login id. */
export async function findPairs(text: string, signal: AbortSignal): Promise<readonly SearchHit[]> {
  const loginId = text.trim();
  if (!ID.test(loginId)) return [];
  const { items } = await runQuery(
    authApi.endpoints.invitationList.initiate({ loginId, size: MOST_HITS }),
    signal,
  );
  return items.map((item) => ({
    title: `${nameOf(item.inviter)} 邀请 ${nameOf(item.invitee)}`,
    detail: `${wordOf(STATES, item.state).text} · ${minute(item.createdAt)}`,
    to: pathOf(item.id),
  }));
}
