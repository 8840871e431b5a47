import { getConfig } from "@/api/config";
import { safeHref } from "@/ui/safeHref";

/**
 * The sandbox page that simulates the phone for a WeChat code, if the sandbox is configured: the code's own address
 * (`weixin://wxpay/bizpayurl?pr=…`) opens nothing outside a phone.
 */
export function phoneAddress(codeUrl: string): string | undefined {
  const base = safeHref(getConfig().sandbox);
  const code = /^weixin:\/\/wxpay\/bizpayurl\?(?:.*&)?pr=([^&]+)/.exec(codeUrl)?.[1];
  if (!base || !code) return undefined;
  return `${base.replace(/\/$/, "")}/wechat/phone?pr=${code}`;
}
