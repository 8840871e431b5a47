import { bytesToHex, randomBytes } from "@noble/hashes/utils.js";
import type { AppConfig } from "@/api";
import { sessionStore } from "@/lib/storage";
import { LOGIN_PATH } from "@/session/returnUrl";

export type Provider = "wechat" | "qq";

export const providers: { id: Provider; name: string }[] = [
  { id: "wechat", name: "微信" },
  { id: "qq", name: "QQ" },
];

const STATE_KEY = "xuanlan.oauthState";

/**
 * Address of a provider's authorisation page, or undefined when no app id is configured. `state` is
 * remembered, so that only the answer to this very request is taken.
 */
export function authorizeAddress(
  provider: Provider,
  config: AppConfig,
  returnURL: string,
): string | undefined {
  const appId = provider === "wechat" ? config.wechatAppId : config.qqAppId;
  if (!appId) return undefined;
  const state = bytesToHex(randomBytes(16));
  sessionStore.set(STATE_KEY, state);
  const back = new URL(LOGIN_PATH, window.location.origin);
  back.searchParams.set("provider", provider);
  if (returnURL) back.searchParams.set("returnURL", returnURL);
  if (provider === "wechat") {
    const url = new URL(config.wechatAuthorizeUrl || "https://open.weixin.qq.com/connect/qrconnect");
    url.searchParams.set("appid", appId);
    url.searchParams.set("redirect_uri", back.href);
    url.searchParams.set("response_type", "code");
    url.searchParams.set("scope", "snsapi_login");
    url.searchParams.set("state", state);
    url.hash = "wechat_redirect";
    return url.href;
  }
  const url = new URL(config.qqAuthorizeUrl || "https://graph.qq.com/oauth2.0/authorize");
  url.searchParams.set("response_type", "code");
  url.searchParams.set("client_id", appId);
  url.searchParams.set("redirect_uri", back.href);
  url.searchParams.set("state", state);
  return url.href;
}

/** Whether an answer of a provider belongs to a request of this window; each state serves once. */
export function claimState(state: string | null): boolean {
  const expected = sessionStore.get(STATE_KEY);
  sessionStore.remove(STATE_KEY);
  return Boolean(expected) && state === expected;
}
