import { useNavigate } from "react-router";
import { toast } from "@/ui/toast";
import { messageOf } from "../api/envelope";

/** Goes to the next object that waits for a decision, or back to the queue if there is none. */
export function useNext<Item>({
  read,
  choose,
  pathOf,
  queue,
  none,
}: {
  /** Those at the head of the queue. */
  read: () => Promise<readonly Item[]>;
  choose: (items: readonly Item[], current: Item | undefined) => Item | undefined;
  pathOf: (item: Item) => string;
  queue: string;
  /** Said when nothing else waits. */
  none: string;
}): (current?: Item) => Promise<void> {
  const navigate = useNavigate();
  return async (current) => {
    try {
      const next = choose(await read(), current);
      if (next) navigate(pathOf(next));
      else {
        toast.success(none);
        navigate(queue);
      }
    } catch (error) {
      toast.error(messageOf(error) || "没有读到下一份，请稍后重试");
    }
  };
}
