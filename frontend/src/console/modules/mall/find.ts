import { transactionApi } from "../../api/generated/transaction";
import { runQuery } from "../../api/run";
import { wordOf } from "../../kit/choices";
import type { SearchHit } from "../../kit/contract";
import { pathOf, STATES } from "./words";

const MOST_HITS = 6;

/** Listings that are listed or pending review, by name or id. */
export async function findListings(text: string, signal: AbortSignal): Promise<readonly SearchHit[]> {
  const asked = text.trim();
  if (!asked) return [];
  const ask = (state: string) =>
    runQuery(
      transactionApi.endpoints.listingSearch.initiate({ text: asked, state, size: MOST_HITS }),
      signal,
    );
  const [waiting, listed] = await Promise.all([ask(""), ask("listed")]);
  const seen = new Set<string>();
  return [...waiting.listings, ...listed.listings]
    .filter(({ listing }) => !seen.has(listing.listingId) && seen.add(listing.listingId))
    .slice(0, MOST_HITS)
    .map(({ listing, state }) => ({
      title: listing.name,
      detail: wordOf(STATES, state).text,
      to: pathOf(listing.listingId),
    }));
}
