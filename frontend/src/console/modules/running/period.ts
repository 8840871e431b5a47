/** Polling interval of pages with figures, in milliseconds. */
export const EVERY_MS = 15_000;
