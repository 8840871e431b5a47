/** Date and minute of a Unix time in milliseconds; 0: unknown. */
export function dateText(time: number): string {
  if (!time) return "—";
  const d = new Date(time);
  const two = (n: number) => String(n).padStart(2, "0");
  return `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())} ${two(d.getHours())}:${two(d.getMinutes())}`;
}
