/** A call that changes a sign-in method was refused: the user has to confirm their identity first. */
export const PROOF_NEEDED = 60207;

type Ask = () => Promise<boolean>;

let host: Ask | undefined;
let asking: Promise<boolean> | undefined;

/** Sets the page's dialog; `undefined` when it unmounts. */
export function setProofHost(ask: Ask | undefined): void {
  host = ask;
}

/** Whether users can be asked here; where they can, a refusal is their own decision. */
export const canProve = (): boolean => host !== undefined;

/** Asks the user to confirm their identity; concurrent calls share one dialog. False: not confirmed. */
export function proveIdentity(): Promise<boolean> {
  asking ??= (host?.() ?? Promise.resolve(false)).finally(() => {
    asking = undefined;
  });
  return asking;
}
