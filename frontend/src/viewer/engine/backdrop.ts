export type Backdrop = "dark" | "light" | "plain";

/** A custom background colour, optionally different in the middle. */
export interface Ground {
  color: string;
  to?: string;
}

const COLORS: Record<Backdrop, readonly [string, string, string]> = {
  dark: ["#222C46", "#141B2E", "#0B1020"],
  light: ["#FFFFFF", "#EEF1F6", "#D5DBE6"],
  plain: ["#05070D", "#05070D", "#05070D"],
};

/** The side of the square in which a backdrop is described. */
export const BACKDROP_SIDE = 512;
/** Circles of the gradient: height of the centre, radius, at its beginning and end. */
export const BACKDROP_CIRCLES = { from: [215, 20], to: [256, 380] } as const;
/** Where the middle colour is. */
export const BACKDROP_MIDDLE = 0.55;

/** From the middle outwards. */
export const backdropColors = (kind: Backdrop | Ground): readonly [string, string, string] =>
  typeof kind === "object" ? [kind.color, kind.color, kind.to ?? kind.color] : COLORS[kind];

/** The same background by the page's own means, for what is shown before the stage draws. */
export function backdropCss(kind: Backdrop | Ground): string {
  const [inner, middle, outer] = backdropColors(kind);
  const percent = (share: number) => `${(share * 100).toFixed(1)}%`;
  const { from, to } = BACKDROP_CIRCLES;
  const radius = (from[1] + (to[1] - from[1]) * BACKDROP_MIDDLE) / to[1];
  const height = (from[0] + to[0]) / 2 / BACKDROP_SIDE;
  const size = percent(to[1] / BACKDROP_SIDE);
  const stops = `${inner} ${percent(from[1] / to[1])}, ${middle} ${percent(radius)}, ${outer}`;
  return `radial-gradient(ellipse ${size} ${size} at 50% ${percent(height)}, ${stops})`;
}
