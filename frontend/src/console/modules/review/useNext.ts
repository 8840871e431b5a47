import { useNavigate } from "react-router";
import { toast } from "@/ui/toast";
import { messageOf } from "../../api/envelope";
import { type PersonalReviewItem, personalApi } from "../../api/generated/personal";
import { runQuery } from "../../api/run";
import { useOperator } from "../../session/slice";
import { nextOf, pathOf } from "./words";

const LOOKED_AT = 50;

/** Goes to the next case not claimed by another operator, or back to the queue if there is none. */
export function useNext(): (current?: PersonalReviewItem) => Promise<void> {
  const navigate = useNavigate();
  const { name } = useOperator();
  return async (current) => {
    try {
      const { items } = await runQuery(
        personalApi.endpoints.reviewList.initiate(
          { state: "waiting", size: LOOKED_AT },
          { forceRefetch: true, subscribe: false },
        ),
      );
      const next = nextOf(items, current, name, Date.now());
      if (next) navigate(pathOf(next.id));
      else {
        toast.success("没有其他待审内容");
        navigate("/review");
      }
    } catch (error) {
      toast.error(messageOf(error) || "没有读到下一份，请稍后重试");
    }
  };
}
