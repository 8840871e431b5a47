/** How often a page of figures asks again, in milliseconds. */
export const EVERY_MS = 15_000;
