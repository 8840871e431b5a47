/** Checks what is really drawn: a canvas is judged by the pixels of its screenshot, not by the page's text. */
import assert from "node:assert/strict";
import { PATIENCE } from "./journey.mjs";

/** Number of different colours in an element's screenshot, at a quarter of its size. */
export async function drawnColours(page, locator) {
  return judged(page, locator, (pixels) => {
    const colours = new Set();
    for (let i = 0; i < pixels.length; i += 4) {
      colours.add((pixels[i] << 16) | (pixels[i + 1] << 8) | pixels[i + 2]);
    }
    return colours.size;
  });
}

/** Waits until an element's screenshot has more than `least` different colours: the first frame follows the loading text. */
export async function drawn(page, locator, least) {
  const deadline = Date.now() + PATIENCE;
  let colours = 0;
  do {
    colours = await drawnColours(page, locator);
    if (colours > least) return;
  } while (Date.now() < deadline);
  assert.fail(`${colours} different colours, not more than ${least}`);
}

/** Share of bright pixels in the middle half of an element's screenshot, 0…1. */
export async function brightPart(page, locator) {
  return judged(page, locator, (pixels, width, height) => {
    let bright = 0;
    let all = 0;
    for (let y = height >> 2; y < height - (height >> 2); y += 1) {
      for (let x = width >> 2; x < width - (width >> 2); x += 1) {
        const at = (y * width + x) * 4;
        all += 1;
        if (pixels[at] + pixels[at + 1] + pixels[at + 2] > 120) bright += 1;
      }
    }
    return bright / all;
  });
}

/** Waits until a screenshot differs from the one before. */
export async function changed(before, take) {
  for (let tries = 0; tries < 50; tries += 1) {
    if (Buffer.compare(before, await take()) !== 0) return;
  }
  assert.fail("the picture stays the same");
}

/** The result of `judge`, run in a blank page on an element's screenshot at a quarter of its size. */
async function judged(page, locator, judge) {
  const picture = (await locator.screenshot()).toString("base64");
  const blank = await page.context().newPage();
  try {
    return await blank.evaluate(
      async ([data, source]) => {
        const image = new Image();
        image.src = `data:image/png;base64,${data}`;
        await image.decode();
        const canvas = document.createElement("canvas");
        canvas.width = Math.max(1, image.width >> 1);
        canvas.height = Math.max(1, image.height >> 1);
        const context = canvas.getContext("2d");
        context.drawImage(image, 0, 0, canvas.width, canvas.height);
        const { data: pixels } = context.getImageData(0, 0, canvas.width, canvas.height);
        return new Function(`return (${source})(...arguments)`)(pixels, canvas.width, canvas.height);
      },
      [picture, judge.toString()],
    );
  } finally {
    await blank.close();
  }
}
