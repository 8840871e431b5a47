/** Asks the operator for a fresh second factor; resolves whether it was given. */
type Ask = () => Promise<boolean>;

let ask: Ask | undefined;
let asking: Promise<boolean> | undefined;

/** Sets the frame's dialog; `undefined` when it unmounts. */
export function setReconfirm(host: Ask | undefined): void {
  ask = host;
}

/** One dialog for all calls that wait for it. */
export function reconfirm(): Promise<boolean> {
  asking ??= (ask?.() ?? Promise.resolve(false)).finally(() => {
    asking = undefined;
  });
  return asking;
}
