/** One sample: x and y in picture pixels, milliseconds since the first touch. */
export type Sample = [x: number, y: number, t: number];

/** The server takes at most 16 KiB of solution; this many samples stay well below. */
const MAX_SAMPLES = 400;

/** Records a movement. Skips samples that repeat the last position within 8 ms. */
export class Track {
  #samples: Sample[] = [];
  #start = 0;

  begin(x: number, y: number, now: number): void {
    this.#start = now;
    this.#samples = [[Math.round(x), Math.round(y), 0]];
  }

  add(x: number, y: number, now: number): void {
    const last = this.#samples.at(-1);
    if (!last || this.#samples.length >= MAX_SAMPLES) return;
    const sample: Sample = [Math.round(x), Math.round(y), Math.round(now - this.#start)];
    const same = sample[0] === last[0] && sample[1] === last[1];
    if (same && sample[2] - last[2] < 8) return;
    this.#samples.push(sample);
  }

  get samples(): Sample[] {
    return this.#samples;
  }

  get empty(): boolean {
    return this.#samples.length === 0;
  }
}

/** Serialized slide solution: `x` is the piece's left edge in picture pixels. */
export function slideSolution(id: string, x: number, track: Sample[]): string {
  return JSON.stringify({ id, x: Math.round(x), track });
}

export function questionSolution(id: string, answer: string): string {
  return JSON.stringify({ id, answer });
}

export function scratchSolution(id: string, strokes: Sample[][]): string {
  return JSON.stringify({ id, strokes: thin(strokes) });
}

/** Keeps the ends of every stroke and evenly spaced samples between them, within the limit. */
export function thin(strokes: Sample[][], limit = 900): Sample[][] {
  const total = strokes.reduce((sum, stroke) => sum + stroke.length, 0);
  if (total <= limit) return strokes;
  const step = Math.ceil(total / limit);
  return strokes.map((stroke) =>
    stroke.filter((_, i) => i === 0 || i === stroke.length - 1 || i % step === 0),
  );
}

/** Milliseconds spent scratching, over all strokes. */
export function strokeTime(strokes: Sample[][]): number {
  return strokes.reduce((sum, stroke) => sum + ((stroke.at(-1)?.[2] ?? 0) - (stroke[0]?.[2] ?? 0)), 0);
}

/** Length of all strokes in picture pixels. */
export function strokeLength(strokes: Sample[][]): number {
  let length = 0;
  for (const stroke of strokes) {
    for (let i = 1; i < stroke.length; i += 1) {
      const a = stroke[i - 1];
      const b = stroke[i];
      if (a && b) length += Math.hypot(b[0] - a[0], b[1] - a[1]);
    }
  }
  return length;
}
