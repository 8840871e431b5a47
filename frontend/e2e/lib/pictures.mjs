/** What is really drawn: a canvas is judged by the pixels of its picture, not by what the page says. */

/** Number of different colours in an element's picture, at a quarter of its size. */
export async function drawnColours(page, locator) {
  const picture = (await locator.screenshot()).toString("base64");
  const blank = await page.context().newPage();
  try {
    return await blank.evaluate(async (data) => {
      const image = new Image();
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
      const canvas = document.createElement("canvas");
      canvas.width = Math.max(1, image.width >> 1);
      canvas.height = Math.max(1, image.height >> 1);
      const context = canvas.getContext("2d");
      context.drawImage(image, 0, 0, canvas.width, canvas.height);
      const { data: pixels } = context.getImageData(0, 0, canvas.width, canvas.height);
      const colours = new Set();
      for (let i = 0; i < pixels.length; i += 4) {
        colours.add((pixels[i] << 16) | (pixels[i + 1] << 8) | pixels[i + 2]);
      }
      return colours.size;
    }, picture);
  } finally {
    await blank.close();
  }
}
