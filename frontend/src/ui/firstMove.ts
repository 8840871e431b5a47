/** First interactions by pointer, keyboard or assistive technology; printing needs the whole page too. */
const MOVES = [
  "pointermove",
  "pointerdown",
  "touchstart",
  "keydown",
  "focusin",
  "scroll",
  "beforeprint",
] as const;

/** Calls `start` once, at the visitor's first interaction: an untouched page loads only what it shows. */
export function onFirstMove(start: () => void): () => void {
  const once = () => {
    stop();
    start();
  };
  const stop = () => {
    for (const event of MOVES) window.removeEventListener(event, once);
  };
  for (const event of MOVES) window.addEventListener(event, once, { passive: true });
  return stop;
}
