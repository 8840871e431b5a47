import { alone } from "@/lib/alone";

const RENEWAL = "xuanlan.renewal";

/** Runs one renewal of the token at a time, in all tabs together: the server ends the old token with each. */
export const renewing = <T>(work: () => Promise<T>): Promise<T> => alone(RENEWAL, work);

/** Waits for the renewal that runs now, if there is one. */
export const renewalOver = (): Promise<void> => alone(RENEWAL, async () => undefined);
