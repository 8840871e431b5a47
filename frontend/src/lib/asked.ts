/**
 * When the person asked for what the page shows, on the clock of `performance.now()`: 0 for the page that was opened by its
 * address, later the last change of the address inside the site. Waiting is felt from there, not from where code begins.
 */
let asked = 0;

export function markAsked(at = performance.now()): void {
  asked = at;
}

export function askedAt(): number {
  return asked;
}
