import { useState } from "react";
import {
  type TransactionListingResult,
  type TransactionListingResults,
  type TransactionSaveListingsRequest,
  useRelistListingsMutation,
  useSaveListingsMutation,
  useSubmitListingsMutation,
  useTakeBackMutation,
  useWithdrawListingsMutation,
} from "@/calls/listings";
import { useSession } from "@/session";
import { toast } from "@/ui/toast";
import { outcome } from "./words";

export type Act = "submit" | "withdraw" | "relist";
export type Terms = Omit<TransactionSaveListingsRequest, "userId" | "listingIds">;

const DONE: Readonly<Record<Act | "save" | "takeOff" | "takeBack" | "discard", string>> = {
  submit: "提交审核",
  withdraw: "撤回",
  takeBack: "撤回审核",
  discard: "放弃修改",
  takeOff: "下架",
  relist: "重新上架",
  save: "保存",
};

/** Actions on many listings; `refused`: those that the last completed action refused, with the reasons. */
export function useActs() {
  const { loginId } = useSession();
  const [submit] = useSubmitListingsMutation();
  const [withdraw] = useWithdrawListingsMutation();
  const [relist] = useRelistListingsMutation();
  const [save] = useSaveListingsMutation();
  const [takeBack] = useTakeBackMutation();
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<readonly TransactionListingResult[]>([]);

  async function report(kind: keyof typeof DONE, work: Promise<TransactionListingResults>): Promise<boolean> {
    setBusy(true);
    try {
      const { results } = await work;
      const wrong = results.filter(({ message }) => message !== "");
      setRefused(wrong);
      if (wrong.length === 0) toast.success(outcome(results, DONE[kind]));
      else toast.warning(outcome(results, DONE[kind]));
      return wrong.length === 0;
    } catch {
      // already reported by the shared wrapper
      return false;
    } finally {
      setBusy(false);
    }
  }

  const calls = { submit, withdraw, relist };
  return {
    busy,
    refused,
    forget: () => setRefused([]),
    /** `shown`: the listings are in the mall, so that withdrawing takes them off. */
    act: (kind: Act, ids: readonly string[], shown = false) =>
      report(
        kind === "withdraw" && shown ? "takeOff" : kind,
        calls[kind]({ userId: loginId, listingIds: ids.join(",") }).unwrap(),
      ),
    /** Changes of one listing leave the review; with `discard` they are given up. */
    takeBack: (listingId: string, discard = false) =>
      report(
        discard ? "discard" : "takeBack",
        takeBack({ userId: loginId, listingId, discard })
          .unwrap()
          .then(({ state }) => ({ results: [{ listingId, state, message: "" }] })),
      ),
    saveTerms: (ids: readonly string[], terms: Terms) =>
      report("save", save({ userId: loginId, listingIds: ids.join(","), ...terms }).unwrap()),
  };
}
