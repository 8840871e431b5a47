import { type TransactionListingItem, transactionApi } from "../../api/generated/transaction";
import { runQuery } from "../../api/run";
import { useNext as useNextOf } from "../../kit/useNext";
import { useOperator } from "../../session/slice";
import { nextOf, pathOf } from "./words";

const LOOKED_AT = 50;

/** Goes to the next listing under review not claimed by another operator, or back to the queue if there is none. */
export function useNext(): (current?: TransactionListingItem) => Promise<void> {
  const { name } = useOperator();
  return useNextOf<TransactionListingItem>({
    read: async () => {
      const waiting = transactionApi.endpoints.listingSearch.initiate(
        { size: LOOKED_AT },
        { forceRefetch: true, subscribe: false },
      );
      return (await runQuery(waiting)).listings;
    },
    choose: (items, current) => nextOf(items, current, name),
    pathOf: ({ listing }) => pathOf(listing.listingId),
    queue: "/mall",
    none: "没有其他待审模型",
  });
}
