import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, randomBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import type { AppConfig } from "@/api";
import { authEndpoints } from "@/calls/auth";
import { sessionStore } from "@/lib/storage";
import { authMessages } from "@/messages/auth";
import type { AppDispatch } from "@/store";
import { toast } from "@/ui/toast";
import { safeReturnUrl } from "./returnUrl";

export type Provider = "wechat" | "qq";

export const providers: { id: Provider; name: string }[] = [
  { id: "wechat", name: "微信" },
  { id: "qq", name: "QQ" },
];

export function isConfigured(provider: Provider, config: AppConfig): boolean {
  return Boolean(provider === "wechat" ? config.wechatAppId : config.qqAppId);
}

/** Why this window went to a provider. */
export interface Errand {
  provider: Provider;
  purpose: "login" | "link";
  /** Proves to the server that the response returns to the browser that started it. */
  verifier: string;
  state: string;
  returnURL: string;
}

const KEY = "xuanlan.thirdParty";

/**
 * Requests the provider's address from the server, and goes there. Returns `false` if the call failed, in which case
 * its error has been shown already.
 */
export async function leaveForProvider(
  dispatch: AppDispatch,
  errand: Pick<Errand, "provider" | "purpose" | "returnURL">,
): Promise<boolean> {
  // Without it the provider's answer could not be told from a foreign one.
  if (!sessionStore.set(KEY, "")) {
    toast.error(authMessages.storageBlocked);
    return false;
  }
  const verifier = bytesToHex(randomBytes(32));
  const request = {
    type: errand.provider,
    challenge: bytesToHex(sha256(utf8ToBytes(verifier))),
    origin: window.location.origin,
  };
  const { thirdPartyAuthorize, linkAuthorize } = authEndpoints;
  const call =
    errand.purpose === "link"
      ? dispatch(linkAuthorize.initiate(request))
      : dispatch(thirdPartyAuthorize.initiate(request));
  const { data } = await call;
  if (!data || !/^https?:\/\//.test(data.url)) return false;
  sessionStore.set(KEY, JSON.stringify({ ...errand, verifier, state: data.state } satisfies Errand));
  window.location.assign(data.url);
  return true;
}

/** The errand to which a provider's response belongs, if it is one of this window; each works once. */
export function claimErrand(provider: string | null, state: string | null): Errand | undefined {
  const kept = sessionStore.get(KEY);
  sessionStore.remove(KEY);
  if (!kept || !state) return undefined;
  try {
    const errand = JSON.parse(kept) as Errand;
    if (errand.provider !== provider || errand.state !== state) return undefined;
    return { ...errand, returnURL: safeReturnUrl(errand.returnURL) };
  } catch {
    return undefined;
  }
}
