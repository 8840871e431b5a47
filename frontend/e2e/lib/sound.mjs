/** Checks of a settled page at desktop and phone size. */
import assert from "node:assert/strict";
import axe from "axe-core";

export const WIDE = { width: 1440, height: 900 };
export const NARROW = { width: 375, height: 812 };
/** Only spent on a page that does not fit. */
const FITS_MS = 30_000;

/**
 * Waits until the page is final: all requests are done, no placeholder is left, nothing moves. Colours measured during a fade
 * are wrong.
 */
export async function settled(page) {
  await page.waitForLoadState("networkidle");
  await page.waitForFunction(
    () =>
      !document.querySelector(".MuiSkeleton-root") &&
      document.getAnimations().every((one) => one.playState !== "running"),
  );
}

/**
 * Findings of axe in the page and its frames, or in the part that `scope` selects: `{id, targets}`. Runs in the page
 * itself: the package for Playwright opens another page for every check.
 */
async function violations(page, scope) {
  const frames = scope ? [page.mainFrame()] : page.frames();
  return (await Promise.all(frames.map((frame) => violationsIn(frame, scope)))).flat();
}

async function violationsIn(frame, scope) {
  await frame.evaluate(`window.axe ?? (() => {${axe.source}})()`);
  return frame.evaluate(async (within) => {
    const found = await window.axe.run(within ? { include: [within] } : document, {
      resultTypes: ["violations"],
      // each frame is checked by itself
      iframes: false,
      // experimental, but a name other than the visible text keeps a control from users of speech input
      rules: { "label-content-name-mismatch": { enabled: true } },
    });
    return found.violations.map(({ id, nodes }) => ({
      id,
      targets: nodes.map((node) => node.target.join(" ")),
    }));
  }, scope);
}

/** Every finding of whatever impact. */
export async function findings(page, scope) {
  const found = await violations(page, scope);
  return found.map(({ id, targets }) => `${id}: ${targets.slice(0, 3).join(", ")}`);
}

/** How many pixels the page is wider than its window; waits, as the page adapts to a new size a moment later. */
export async function tooWide(page) {
  await page
    .waitForFunction(() => document.documentElement.scrollWidth <= window.innerWidth, null, {
      timeout: FITS_MS,
    })
    .catch(() => {});
  return page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - window.innerWidth));
}

/** No findings, nothing wider than the screen, at both sizes. */
export async function sound(page, what) {
  for (const size of [WIDE, NARROW]) {
    await page.setViewportSize(size);
    await settled(page);
    assert.deepEqual(await findings(page), [], `${what} at ${size.width}`);
    assert.equal(await tooWide(page), 0, `${what} is wider than ${size.width}`);
  }
  await page.setViewportSize(WIDE);
}
