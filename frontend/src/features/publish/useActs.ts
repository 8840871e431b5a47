import { useState } from "react";
import {
  type TransactionListingResult,
  type TransactionListingResults,
  type TransactionSaveListingsRequest,
  useRelistListingsMutation,
  useSaveListingsMutation,
  useSubmitListingsMutation,
  useWithdrawListingsMutation,
} from "@/calls/transaction";
import { useSession } from "@/session";
import { toast } from "@/ui/toast";
import { outcome } from "./words";

export type Act = "submit" | "withdraw" | "relist";
export type Terms = Omit<TransactionSaveListingsRequest, "userId" | "listingIds">;

const DONE: Readonly<Record<Act | "save" | "takeOff", string>> = {
  submit: "提交审核",
  withdraw: "撤回",
  takeOff: "下架",
  relist: "重新上架",
  save: "保存",
};

/** What is done to many listings at once; `refused` are those of the last act that answered why nothing was done. */
export function useActs() {
  const { loginId } = useSession();
  const [submit] = useSubmitListingsMutation();
  const [withdraw] = useWithdrawListingsMutation();
  const [relist] = useRelistListingsMutation();
  const [save] = useSaveListingsMutation();
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<readonly TransactionListingResult[]>([]);

  async function told(kind: keyof typeof DONE, work: Promise<TransactionListingResults>): Promise<boolean> {
    setBusy(true);
    try {
      const { results } = await work;
      const wrong = results.filter(({ message }) => message !== "");
      setRefused(wrong);
      if (wrong.length === 0) toast.success(outcome(results, DONE[kind]));
      else toast.warning(outcome(results, DONE[kind]));
      return wrong.length === 0;
    } catch {
      // the shared wrapper has told why
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
    /** `shown`: the mall shows them, so that to withdraw is to take off. */
    act: (kind: Act, ids: readonly string[], shown = false) =>
      told(
        kind === "withdraw" && shown ? "takeOff" : kind,
        calls[kind]({ userId: loginId, listingIds: ids.join(",") }).unwrap(),
      ),
    saveTerms: (ids: readonly string[], terms: Terms) =>
      told("save", save({ userId: loginId, listingIds: ids.join(","), ...terms }).unwrap()),
  };
}
