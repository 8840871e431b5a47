/**
 * Speed of an upload of 300 MB by the wizard in Chromium, compared with a plain PUT of the same bytes from a page of a bare file
 * server. Run by scripts/bench, which names the site in XUANLAN_BASE. Prints one JSON object.
 */
import { createWriteStream } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { chromium } from "playwright-core";
import { Client } from "./lib/client.mjs";

const MB = 1024 * 1024;
const SIZE_MB = 300;
const site = { url: process.env.XUANLAN_BASE, sandbox: "" };

const folder = await mkdtemp(path.join(tmpdir(), "xuanlan-bench-"));
const model = path.join(folder, "bench.glb");
const file = await open(model, "w");
for (let i = 0; i < SIZE_MB; i += 1) await file.write(Buffer.alloc(MB, i % 251));
await file.close();

const bare = createServer(async (request, response) => {
  if (request.method === "PUT") await pipeline(request, createWriteStream(path.join(folder, "put")));
  response.setHeader("content-type", "text/html");
  response.end('<input type="file">');
});
await new Promise((resolve) => bare.listen(0, "127.0.0.1", resolve));

const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
  ],
});
try {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`http://127.0.0.1:${bare.address().port}/`);
  await page.locator("input").setInputFiles(model);
  const putMs = await page.evaluate(async () => {
    const began = performance.now();
    await fetch("/put", { method: "PUT", body: document.querySelector("input").files[0] });
    return performance.now() - began;
  });

  const person = new Client(site);
  const session = JSON.parse(await person.call("A03", { username: "13800000001", password: "xuanlan1" }));
  await context.addCookies([
    { name: "authorization", value: session.access_token, url: site.url },
    { name: "loginId", value: session.loginId, url: site.url },
  ]);
  await page.goto(`${site.url}/workbench/myUpload?upload=1`);
  const chooser = page.getByRole("dialog", { name: "上传模型" }).locator('input[type="file"]');
  await chooser.waitFor({ state: "attached" });
  const taken = page.waitForResponse((r) => r.url().endsWith("/model_checking"), { timeout: 300_000 });
  const began = performance.now();
  await chooser.setInputFiles(model);
  const answer = await (await taken).json();
  const uploadMs = performance.now() - began;
  if (answer.resp_code !== 60000) throw new Error(answer.resp_msg);
  process.stdout.write(
    JSON.stringify({
      putMbPerSecond: SIZE_MB / (putMs / 1000),
      uploadMbPerSecond: SIZE_MB / (uploadMs / 1000),
    }),
  );
} finally {
  await browser.close();
  bare.closeAllConnections();
  bare.close();
  await rm(folder, { recursive: true, force: true });
}
