import { alone } from "@/lib/alone";
import { readToken } from "./cookies";

const RENEWAL = "xuanlan.renewal";
/** How long a tab waits for the token of another one, and how often it looks, in milliseconds. */
const SUCCESSOR_MS = 3_000;
const LOOK_MS = 100;

/** Runs one renewal of the token at a time, in all tabs together: the server ends the old token with each. */
export const renewing = <T>(work: () => Promise<T>): Promise<T> => alone(RENEWAL, work);

/** Waits for the renewal that runs now and may have ended `refused`, if there is one. */
export async function renewalOver(refused: string): Promise<void> {
  await alone(RENEWAL, async () => undefined);
  await successor(refused);
}

/** Without locks another tab may be renewing the token that was refused: waits a while for the new one to appear in the cookie. */
export async function successor(refused: string): Promise<void> {
  if (navigator.locks) return;
  const until = Date.now() + SUCCESSOR_MS;
  while (readToken() === refused && Date.now() < until)
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
}
