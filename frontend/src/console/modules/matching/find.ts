import { matchupApi } from "../../api/generated/matchup";
import { runQuery } from "../../api/run";
import { wordOf } from "../../kit/choices";
import type { SearchHit } from "../../kit/contract";
import { DEMAND_STATES, demandPath } from "./words";

const MOST_HITS = 6;

/** Needs of any state, by title or id. */
export async function findDemands(text: string, signal: AbortSignal): Promise<readonly SearchHit[]> {
  const asked = text.trim();
  if (!asked) return [];
  const { demands } = await runQuery(
    matchupApi.endpoints.demandSearch.initiate({ text: asked, state: "all", size: MOST_HITS }),
    signal,
  );
  return demands.map(({ demand }) => ({
    title: demand?.title || "未填写标题",
    detail: wordOf(DEMAND_STATES, demand?.state ?? "").text,
    to: demandPath(demand?.demandId ?? ""),
  }));
}
