import { useCallback } from "react";
import { apiErrorOf, codeOf } from "@/api";
import { authEndpoints } from "@/calls/auth";
import { captchaMessages } from "@/messages/auth";
import { useAppDispatch } from "@/store/hooks";
import { toast } from "@/ui/toast";
import type { Kind } from "./useChallenge";

/** The action to be assessed. */
export type Scene =
  | { scene: "password"; account: string; device: string }
  | { scene: "code"; phone: string; type: string; ticket: string; device: string; showsPassword: boolean };

/** Results of the verification call. */
export const PASS = [100, 200];
export const ANOTHER_CHECK = 600;
/** Others have used up the number's codes; the account's password opens it. */
export const PASSWORD_HELPS = 60208;

/**
 * Asks, before a form is sent, whether the check is needed: "go" if not, the kind of check to show, "password" if the form needs
 * the account's password, or undefined when it cannot be sent now. The reason is then reported before the user solves a puzzle.
 */
export function useAssessment(): (scene: Scene) => Promise<"go" | "password" | Kind | undefined> {
  const dispatch = useAppDispatch();
  return useCallback(
    async (scene) => {
      const nvcdata = JSON.stringify(scene);
      const answer = await dispatch(authEndpoints.getAliyunAcs.initiate({ nvcdata }, { track: false }));
      if (answer.error) {
        const known = apiErrorOf(answer.error);
        const reason = known && known.kind !== "network" ? known.message : "";
        toast.error(reason || captchaMessages.network);
        return codeOf(answer.error) === PASSWORD_HELPS ? "password" : undefined;
      }
      const code = Number(answer.data);
      if (PASS.includes(code)) return "go";
      return code === ANOTHER_CHECK ? "scratch" : "slide";
    },
    [dispatch],
  );
}
