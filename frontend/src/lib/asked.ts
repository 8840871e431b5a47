/**
 * When the user requested the page's content, on the clock of `performance.now()`: 0 for a page opened by its
 * address, later the last navigation inside the site. Users' waiting time starts there, not when the code starts.
 */
let asked = 0;

export function markAsked(at = performance.now()): void {
  asked = at;
}

export function askedAt(): number {
  return asked;
}
