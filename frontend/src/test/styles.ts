import { type EmotionCache, withEmotionCache } from "@emotion/react";
import { cleanup, render } from "@testing-library/react";
import { createElement } from "react";

let cache: EmotionCache | undefined;

const Taken = withEmotionCache<object, never>((_, taken) => {
  cache = taken;
  return null;
});

/** Styles go into one sheet, as in the built page, instead of an element for each. */
export function gatherStyles(): void {
  render(createElement(Taken));
  cleanup();
  if (cache) cache.sheet.isSpeedy = true;
}

/** The sheet is empty again: jsdom goes through all of it for each question about an element's style. */
export function forgetStyles(): void {
  if (!cache) return;
  cache.sheet.flush();
  cache.inserted = {};
  cache.registered = {};
}
