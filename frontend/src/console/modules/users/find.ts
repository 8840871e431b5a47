import { authApi } from "../../api/generated/auth";
import { runQuery } from "../../api/run";
import type { SearchHit } from "../../kit/contract";
import { nameOf, searchText, userPath } from "./words";

const MOST_HITS = 6;

export async function findUsers(text: string, signal: AbortSignal): Promise<readonly SearchHit[]> {
  const { users } = await runQuery(
    authApi.endpoints.userSearch.initiate({ text: searchText(text), size: MOST_HITS }),
    signal,
  );
  return users.map((user) => ({
    title: nameOf(user),
    detail: `${user.phone || user.email} · ${user.accountNumber}`,
    to: userPath(user.loginId),
  }));
}
