/** A call that changes a way in was refused: the session has to show first that its owner is there. */
export const PROOF_NEEDED = 60207;

type Ask = () => Promise<boolean>;

let host: Ask | undefined;
let asking: Promise<boolean> | undefined;

/** The page's dialog takes over; `undefined` when it goes. */
export function setProofHost(ask: Ask | undefined): void {
  host = ask;
}

/** Asks the person to confirm who they are; several calls at once share one dialog. False: they did not. */
export function proveIdentity(): Promise<boolean> {
  asking ??= (host?.() ?? Promise.resolve(false)).finally(() => {
    asking = undefined;
  });
  return asking;
}
