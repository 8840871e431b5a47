/** For how many frames an anchor is looked for and held: about two seconds. */
const FRAMES = 120;
/** With any of these the visitor goes elsewhere on the page. */
const MOVES = ["wheel", "touchmove", "pointerdown", "keydown"];

function decoded(named: string): string {
  try {
    return decodeURIComponent(named);
  } catch {
    // Anybody can write an address with a broken escape; no part has such a name.
    return "";
  }
}

/**
 * Brings the part that an address names, escaped, into view, and keeps it there while the page is being drawn: it loads its chunk, what
 * is above changes its height, and the router may put back where the page was left.
 */
export function holdAnchor(named: string, leaving: AbortSignal): void {
  const id = decoded(named);
  if (!id) return;
  const moved = new AbortController();
  const signal = AbortSignal.any([leaving, moved.signal]);
  let frames = 0;
  let place: number | undefined;
  const look = () => {
    if (signal.aborted || frames === FRAMES) return;
    frames += 1;
    window.requestAnimationFrame(look);
    const target = document.getElementById(id);
    if (!target || target.getBoundingClientRect().top === place) return;
    target.scrollIntoView({ block: "start" });
    place = target.getBoundingClientRect().top;
  };
  window.requestAnimationFrame(look);
  for (const move of MOVES)
    window.addEventListener(move, () => moved.abort(), { passive: true, once: true, signal });
}
