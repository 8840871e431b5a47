import { useState } from "react";
import { messageOf } from "../../api/envelope";
import { refreshOperator, useConsoleDispatch } from "../../session/calls";

/**
 * One act on one's own account: whether it runs, and why it failed. The operator is read again after it, for the number of
 * recovery codes: one may have been used to confirm the act.
 */
export function useAct() {
  const dispatch = useConsoleDispatch();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  /** `onRefused` may take an error to a field; it returns whether it did. */
  async function run(act: () => Promise<void>, onRefused: (error: unknown) => boolean = () => false) {
    setBusy(true);
    setProblem("");
    try {
      await act();
    } catch (error) {
      if (!onRefused(error)) setProblem(messageOf(error) || "没有完成，请稍后重试");
    } finally {
      setBusy(false);
      void dispatch(refreshOperator());
    }
  }
  return { busy, problem, run };
}
