/** Least distance of the card to the edges of what is seen, in pixels. */
export const CARD_GAP = 12;

export interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

function within(start: number, length: number, viewStart: number, viewLength: number): number {
  const last = viewStart + viewLength - CARD_GAP - length;
  // A card longer than the view ends with it: its buttons are at its end.
  return Math.min(Math.max(start, viewStart + CARD_GAP), last);
}

/**
 * The place of the card nearest to `card` that lies wholly in `view`, over the target if there is no room beside it: the library
 * keeps the card in the view only along the target's edge, so that beside a tall target the buttons would be off the screen.
 */
export function inSight(card: Rectangle, view: Rectangle): { x: number; y: number } {
  return {
    x: within(card.x, card.width, view.x, view.width),
    y: within(card.y, card.height, view.y, view.height),
  };
}

/** What is seen of the page now: less than the window under a zoom or an on-screen keyboard. */
export function seen(): Rectangle {
  const { visualViewport: view, innerWidth, innerHeight } = window;
  if (!view) return { x: 0, y: 0, width: innerWidth, height: innerHeight };
  return { x: view.offsetLeft, y: view.offsetTop, width: view.width, height: view.height };
}
