/** A whole number with a comma every three digits, as in Chinese pages; does not use the browser's language data,
 * which takes a phone 30 ms to load. */
export function groupDigits(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ",");
}
