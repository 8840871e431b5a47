import { type EmotionCache, withEmotionCache } from "@emotion/react";
import { cleanup, render } from "@testing-library/react";
import { createElement } from "react";

let cache: EmotionCache | undefined;

const Taken = withEmotionCache<object, never>((_, taken) => {
  cache = taken;
  return null;
});

/** Collects all styles in one sheet, as in the built page, instead of one element each. */
export function gatherStyles(): void {
  render(createElement(Taken));
  cleanup();
  if (cache) cache.sheet.isSpeedy = true;
}

/** Empties the sheet: jsdom searches all of it for each query about an element's style. */
export function forgetStyles(): void {
  if (!cache) return;
  cache.sheet.flush();
  cache.inserted = {};
  cache.registered = {};
}
