/** Polling interval of the queue's pages, in milliseconds. */
export const EVERY_MS = 15_000;
