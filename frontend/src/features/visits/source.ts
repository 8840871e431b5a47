/** Source of a visit. */
export type Source = "search" | "link" | "direct";

/** Search engines by their host name. */
const ENGINES =
  /(^|\.)(baidu|sogou|so|sm|bing|google|yandex|yahoo|duckduckgo|toutiao|shenma|haosou)\.[a-z.]{2,6}$/;

/** A search engine, another site, or neither; pages of this site are no source. */
export function sourceOf(referrer: string, origin: string): Source {
  const url = URL.parse(referrer);
  if (!url || url.origin === origin) return "direct";
  return ENGINES.test(url.hostname) ? "search" : "link";
}

/** The campaign named in a link: `dap`, or `utm_campaign`. */
export function campaignOf(search: string): string {
  const query = new URLSearchParams(search);
  return query.get("dap") ?? query.get("utm_campaign") ?? "";
}
