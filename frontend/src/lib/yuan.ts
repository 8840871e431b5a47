/** Limits the input of a price field to 5 digits and 2 decimals. */
export function priceLimit(text: string): string {
  const [whole = "", ...rest] = text.replace(/[^\d.]/g, "").split(".");
  const integer = whole.slice(0, 5);
  return rest.length === 0 ? integer : `${integer || "0"}.${rest.join("").slice(0, 2)}`;
}

/** Yuan as text in cents, without floating point; undefined for an invalid amount. */
export function centsOf(yuan: string): number | undefined {
  const match = /^(\d{1,5})(?:\.(\d{0,2}))?$/.exec(yuan.trim());
  if (!match) return undefined;
  return Number(match[1]) * 100 + Number((match[2] ?? "").padEnd(2, "0"));
}

/** Cents as the text of a field: whole yuan without decimals. */
export function yuanText(cents: number): string {
  return cents % 100 === 0 ? String(cents / 100) : (cents / 100).toFixed(2);
}
