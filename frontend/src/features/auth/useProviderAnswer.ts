import { useEffect, useRef, useState } from "react";
import { useSearchParams } from "react-router";
import { authEndpoints, useBindThirdPartyAccountMutation } from "@/calls/auth";
import { authMessages } from "@/messages/auth";
import type { AuthDialogStep } from "@/session/dialog";
import { thirdPartyRecognised } from "@/session/slice";
import { claimErrand, type Errand, providers } from "@/session/thirdParty";
import { deviceKey, type TokenReply } from "@/session/token";
import { useAppDispatch } from "@/store/hooks";
import { toast } from "@/ui/toast";
import { type FactorRequest, factorRequest } from "./factor";
import { takeToken } from "./takeToken";

interface Options {
  go: (step: AuthDialogStep) => void;
  onToken: (reply: TokenReply) => void;
  onFactor: (request: FactorRequest) => void;
  leave: (path: string) => void;
  signedIn: boolean;
}

/**
 * Completes a redirect back from a provider: signs in, asks a new user for a phone number, or links the account. `waiting` is the
 * provider's name while the server is being asked; `answering` lasts until all is done.
 */
export function useProviderAnswer(options: Options): { waiting?: string; answering: boolean } {
  const dispatch = useAppDispatch();
  const [query, setQuery] = useSearchParams();
  const [link] = useBindThirdPartyAccountMutation();
  const provider = query.get("provider");
  const name = providers.find(({ id }) => id === provider)?.name;
  const [waiting, setWaiting] = useState(query.get("code") ? name : undefined);
  const [answering, setAnswering] = useState(provider !== null);
  const began = useRef(false);
  // Latest options: `onToken` depends on the address, which changes meanwhile.
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });

  useEffect(() => {
    if (!provider || began.current) return;
    began.current = true;

    const finishSignIn = async (errand: Errand, code: string) => {
      const { provider: type, state, verifier } = errand;
      const form = { type, code, state, verifier, device: deviceKey() };
      const signIn = (second = {}) =>
        dispatch(authEndpoints.thirdPartyCallback.initiate({ ...form, ...second }, { track: false }));
      const { data, error } = await signIn();
      const factor = factorRequest(error, async (second) => {
        const answer = await signIn(second);
        return { data: answer.data?.token, error: answer.error };
      });
      if (factor) return latest.current.onFactor(factor);
      if (data?.token) return takeToken({ data: data.token }, latest.current.onToken);
      if (data?.bindTicket) {
        dispatch(thirdPartyRecognised({ ...data, type }));
        latest.current.go("bindPhone");
      }
    };
    const finishLink = async (errand: Errand, code: string) => {
      const { provider: type, state, verifier } = errand;
      const { error } = await link({ type, code, state, verifier });
      if (!error) toast.success(authMessages.linked);
      latest.current.leave(errand.returnURL);
    };
    const finish = async () => {
      const errand = claimErrand(provider, query.get("state"));
      const code = query.get("code");
      // Removes the answer from the history; a reload must not send it again.
      setQuery(errand?.purpose === "login" ? { returnURL: errand.returnURL } : {}, { replace: true });
      if (!errand) {
        // Back in the history, after all was done.
        if (!latest.current.signedIn) toast.warning(authMessages.thirdPartyUnfinished);
      } else if (!code) {
        toast.warning(authMessages.thirdPartyRefused(name ?? ""));
        if (errand.purpose === "link") latest.current.leave(errand.returnURL);
      } else if (errand.purpose === "link") await finishLink(errand, code);
      else await finishSignIn(errand, code);
      setWaiting(undefined);
      setAnswering(false);
    };
    void finish();
  }, [provider, name, query, setQuery, link, dispatch]);

  return { waiting, answering };
}
