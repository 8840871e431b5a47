/** 12345 → 1.2 万 */
export function shortCount(count: number): string {
  if (count < 10_000) return count.toLocaleString("zh-CN");
  return count < 100_000_000
    ? `${Number((count / 10_000).toFixed(1))} 万`
    : `${Number((count / 100_000_000).toFixed(1))} 亿`;
}

export function dayOf(at: number): string {
  const day = new Date(at);
  const two = (n: number) => String(n).padStart(2, "0");
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}
