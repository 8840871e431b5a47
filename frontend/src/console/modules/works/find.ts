import { worksApi } from "../../api/generated/works";
import { runQuery } from "../../api/run";
import { wordOf } from "../../kit/choices";
import type { SearchHit } from "../../kit/contract";
import { pathOf, STATES } from "./words";

const MOST_HITS = 6;

/** Works of any state, by name or id. */
export async function findWorks(text: string, signal: AbortSignal): Promise<readonly SearchHit[]> {
  const asked = text.trim();
  if (!asked) return [];
  const { works } = await runQuery(
    worksApi.endpoints.workSearch.initiate({ text: asked, state: "all", size: MOST_HITS }),
    signal,
  );
  return works.map(({ card, state }) => ({
    title: card.name || "未命名",
    detail: wordOf(STATES, state).text,
    to: pathOf(card.id),
  }));
}
