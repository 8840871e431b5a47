/** Requesting a certification by hand. */

/** A photograph, drawn by the page. */
export async function photograph(page, words, type) {
  const data = await page.evaluate(
    ([text, mime]) => {
      const canvas = Object.assign(document.createElement("canvas"), { width: 856, height: 540 });
      const pen = canvas.getContext("2d");
      pen.fillStyle = "#dbe6f7";
      pen.fillRect(0, 0, 856, 540);
      pen.fillStyle = "#1b2130";
      pen.font = "48px sans-serif";
      pen.fillText(text, 60, 120);
      return canvas.toDataURL(mime).split(",")[1];
    },
    [words, type],
  );
  return {
    name: type === "image/png" ? "photo.png" : "photo.JPG",
    mimeType: type,
    buffer: Buffer.from(data, "base64"),
  };
}

/** Fills in the page's form for a person, and sends it. */
export async function askAsPerson(page, { name, number }) {
  const main = page.getByRole("main");
  await main.getByLabel("真实姓名").fill(name);
  await main.getByLabel("身份证号").fill(number);
  const front = main.getByLabel("身份证人像面", { exact: true }).locator("input[type=file]");
  await front.setInputFiles(await photograph(page, "人像面", "image/jpeg"));
  const back = main.getByLabel("身份证国徽面", { exact: true }).locator("input[type=file]");
  await back.setInputFiles(await photograph(page, "国徽面", "image/png"));
  await main.getByRole("img", { name: /预览/ }).nth(1).waitFor();
  await main.getByRole("checkbox").check();
  await page.waitForFunction(() => document.querySelector("main [role=progressbar]") === null);
  await main.getByRole("button", { name: "提交审核" }).click();
  await main.getByText(/审核中/).waitFor();
}
