/** The characters of a text as the server counts them: a character outside the basic plane is one, not two halves. */
export const characters = (text: string): number => Array.from(text).length;

/** The first `max` characters of a text; none is cut in two. */
export const firstCharacters = (text: string, max: number): string =>
  text.length <= max ? text : Array.from(text).slice(0, max).join("");
