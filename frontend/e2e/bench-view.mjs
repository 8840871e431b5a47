/**
 * Time to see a large model: seconds from opening its page on a line of 20 Mbit/s, without a graphics card, until its picture
 * is there, until its copy can be turned, and until all of it is drawn. Run by scripts/bench, which names the site
 * in XUANLAN_BASE. Prints one JSON object.
 */
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { chromium } from "playwright-core";
import { Client } from "./lib/client.mjs";
import { sample } from "./lib/models.mjs";
import { putModel } from "./lib/store.mjs";

/** About 30 MB of gears. */
const TRIANGLES = 1_150_000;
const LINE = { offline: false, latency: 20, downloadThroughput: 20e6 / 8, uploadThroughput: 20e6 / 8 };
const PICTURES_MS = 300_000;
const WHOLE_MS = 300_000;
const site = { url: process.env.XUANLAN_BASE, sandbox: "" };

/** The copy is made by the check; the pictures after it, which use the processor. */
async function withPictures(person, fileId) {
  const until = Date.now() + PICTURES_MS;
  while (Date.now() < until) {
    const file = await person.call("X02", { fileId });
    if (file.proxyUrl && file.turntableUrl) return file;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  throw new Error("the model got no copy and no pictures for its first look");
}

/** Records in the page when each picture was painted, not merely loaded. */
function watch() {
  window.seen = {};
  const note = (name) => {
    if (name in window.seen) return;
    window.seen[name] = Number.NaN;
    requestAnimationFrame(() => requestAnimationFrame(() => (window.seen[name] = performance.now() / 1000)));
  };
  // The canvas becomes visible in the frame that draws it: that frame is painted before the next task.
  const noteDrawn = (name) => {
    if (name in window.seen) return;
    window.seen[name] = Number.NaN;
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => (window.seen[name] = performance.now() / 1000);
    port2.postMessage(0);
  };
  new MutationObserver(() => {
    const stage = document.querySelector("[data-stage]");
    const canvas = stage?.querySelector("canvas");
    if (canvas && canvas.style.visibility !== "hidden") noteDrawn("turnable");
    const poster = stage?.querySelector("img");
    if (poster?.complete && poster.naturalWidth > 0) note("poster");
    poster?.addEventListener("load", () => note("poster"), { once: true });
    if (stage?.dataset.shown === "full") note("whole");
  }).observe(document, { subtree: true, childList: true, attributes: true });
}

async function visit(page, address) {
  const line = await page.context().newCDPSession(page);
  await line.send("Network.enable");
  await line.send("Network.emulateNetworkConditions", LINE);
  await page.goto(address);
  await page.waitForFunction(() => window.seen.whole > 0, undefined, { timeout: WHOLE_MS });
  const seen = await page.evaluate(() => window.seen);
  await page.close();
  // what the page has still asked of the graphics process would delay the next one
  await new Promise((resolve) => setTimeout(resolve, 5000));
  return seen;
}

const folder = await mkdtemp(path.join(tmpdir(), "xuanlan-bench-"));
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_BIN ?? "/usr/bin/chromium",
  args: [
    "--no-sandbox",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    // what a browser does by itself on a machine without a graphics card
    "--enable-unsafe-swiftshader",
  ],
});
try {
  const person = await new Client(site).signIn("13800000001", "xuanlan1");
  const model = await sample(folder, "gears", "bench.glb", TRIANGLES);
  const fileId = await putModel(person, model);
  const { proxyUrl } = await withPictures(person, fileId);
  const proxy = await (await fetch(proxyUrl)).arrayBuffer();

  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addInitScript(watch);
  await context.addCookies(person.cookies());
  const address = `${site.url}/workbench/myUpload/sourceFile?fileId=${fileId}`;
  const cold = await visit(await context.newPage(), address);
  const warm = await visit(await context.newPage(), address);
  process.stdout.write(
    JSON.stringify({
      megabytes: (await stat(model)).size / 1048576,
      proxyKilobytes: proxy.byteLength / 1024,
      coldPoster: cold.poster,
      coldTurnable: cold.turnable,
      coldWhole: cold.whole,
      warmPoster: warm.poster,
      warmTurnable: warm.turnable,
      warmWhole: warm.whole,
    }),
  );
} finally {
  await browser.close();
  await rm(folder, { recursive: true, force: true });
}
