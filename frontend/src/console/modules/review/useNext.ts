import { type PersonalReviewItem, personalApi } from "../../api/generated/personal";
import { runQuery } from "../../api/run";
import { useNext as useNextOf } from "../../kit/useNext";
import { useOperator } from "../../session/slice";
import { nextOf, pathOf } from "./words";

const LOOKED_AT = 50;

/** Goes to the next case not claimed by another operator, or back to the queue if there is none. */
export function useNext(): (current?: PersonalReviewItem) => Promise<void> {
  const { name } = useOperator();
  return useNextOf<PersonalReviewItem>({
    read: async () => {
      const waiting = personalApi.endpoints.reviewList.initiate(
        { state: "waiting", size: LOOKED_AT },
        { forceRefetch: true, subscribe: false },
      );
      return (await runQuery(waiting)).items;
    },
    choose: (items, current) => nextOf(items, current, name, Date.now()),
    pathOf: ({ id }) => pathOf(id),
    queue: "/review",
    none: "没有其他待审内容",
  });
}
