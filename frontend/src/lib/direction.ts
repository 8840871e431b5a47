/** Characters that turn the order of the text after them, and show nothing themselves. */
const TURNING = /[\u202A-\u202E\u2066-\u2069]/g;

/** A text in which characters that would turn it are seen instead: `[U+202E]`. */
export const withSeenTurns = (text: string): string =>
  text.replace(TURNING, (mark) => `[U+${mark.codePointAt(0)?.toString(16).toUpperCase()}]`);
