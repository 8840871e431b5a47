/** Where a visit came from. */
export type Source = "search" | "link" | "direct";

/** Search engines by the name in their host. */
const ENGINES =
  /(^|\.)(baidu|sogou|so|sm|bing|google|yandex|yahoo|duckduckgo|toutiao|shenma|haosou)\.[a-z.]{2,6}$/;

/** From a search engine, another site, or neither; pages of the site itself are no source. */
export function sourceOf(referrer: string, origin: string): Source {
  const url = URL.parse(referrer);
  if (!url || url.origin === origin) return "direct";
  return ENGINES.test(url.hostname) ? "search" : "link";
}

/** The campaign that a link to the site names: `dap`, or what other tools call it. */
export function campaignOf(search: string): string {
  const query = new URLSearchParams(search);
  return query.get("dap") ?? query.get("utm_campaign") ?? "";
}
