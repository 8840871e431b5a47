/** A journey: a fresh site, a browser, steps in order. The first failed step takes a screenshot and ends the journey. */
import { mkdir, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import test from "node:test";
import { setTimeout } from "node:timers/promises";
import { chromium } from "playwright-core";
import { startSite } from "./site.mjs";

const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 375, height: 812 };
/** A user agent without "headless": views by robots are not counted. */
export const DESKTOP =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
/** For a slow machine under other load; waiting ends as soon as the condition holds. */
export const PATIENCE = 120_000;
/** The same for jobs of the engine, which run at the lowest priority. */
export const WORK_MS = 300_000;
/** The journey over all pages takes long on a busy machine. */
const JOURNEY_MS = 35 * 60_000;
/** Each journey waits half of its time. */
const AT_ONCE = 2;

const browserFlags = [
  "--no-sandbox",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // WebGL without a graphics card
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  // rasterize pages without it, which takes half the time
  "--disable-gpu-rasterization",
  "--disable-gpu-compositing",
];

/**
 * @param {string} title
 * @param {{env?: Record<string, string>}} options passed to the site
 * @param {(scene: Scene) => Promise<void>} body calls `step` for each part
 */
export function journey(title, options, body) {
  test(title, { timeout: JOURNEY_MS }, (t) =>
    onSite(options, (site, browser) => body(new Scene(t, site, browser, title))),
  );
}

/**
 * Journeys that share a site and a browser because they do not affect each other: two at a time, started in their
 * order. A failed one does not stop the others.
 *
 * @param {string} title
 * @param {{env?: Record<string, string>}} options passed to the site
 * @param {(site) => Record<string, (scene: Scene) => Promise<void>>} bodies journeys by their titles
 */
export function journeys(title, options, bodies) {
  test(title, { timeout: JOURNEY_MS, concurrency: AT_ONCE }, (t) =>
    onSite(options, (site, browser) =>
      Promise.all(
        Object.entries(bodies(site)).map(([name, body]) =>
          t.test(name, async (part) => {
            const scene = new Scene(part, site, browser, name);
            try {
              await body(scene);
            } finally {
              await scene.leave();
            }
          }),
        ),
      ),
    ),
  );
}

async function onSite(options, work) {
  const site = await startSite(options);
  let browser;
  try {
    browser = await chromium.launch({
      executablePath: process.env.CHROMIUM_BIN ?? "/usr/bin/chromium",
      args: browserFlags,
    });
    await work(site, browser);
  } finally {
    await browser?.close();
    await site.stop();
  }
}

class Scene {
  #t;
  #title;
  #browser;
  #failed = false;
  #shot = 0;
  #current;
  #contexts = [];

  constructor(t, site, browser, title) {
    this.#t = t;
    this.site = site;
    this.#browser = browser;
    this.#title = title;
  }

  /** A browser profile of its own: another person, or the same one with no stored data. */
  async context(options = {}) {
    const context = await this.#browser.newContext({
      viewport: WIDE,
      locale: "zh-CN",
      timezoneId: "Asia/Shanghai",
      acceptDownloads: true,
      // Without a graphics card the animated hero of the home page takes a whole core.
      reducedMotion: "reduce",
      ...options,
    });
    context.setDefaultTimeout(PATIENCE);
    this.#contexts.push(context);
    return context;
  }

  /** Closes all contexts: an open viewer would keep drawing during other journeys. */
  async leave() {
    await Promise.all(this.#contexts.map((context) => context.close()));
  }

  /** A page that records its errors in `page.problems`. */
  async page(context) {
    const page = await (context ?? (await this.context())).newPage();
    page.problems = [];
    page.on("console", (message) => {
      if (message.type() === "error") page.problems.push(`${message.text()} (${message.location().url})`);
    });
    page.on("pageerror", (error) => page.problems.push(String(error)));
    // SF009: every call of a page to the gateway is a POST.
    page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith("/api-") && request.method() !== "POST")
        page.problems.push(`${request.method()} ${pathname}`);
    });
    this.#current = page;
    return page;
  }

  /** One part of the journey; `page` is the one whose screenshot is taken on failure. */
  async step(name, work, page) {
    if (page) this.#current = page;
    if (this.#failed) {
      await this.#t.test(name, { skip: "an earlier step failed" }, () => {});
      return;
    }
    await this.#t.test(name, async (t) => {
      try {
        await work();
        await this.#keepShots(name);
      } catch (error) {
        this.#failed = true;
        t.diagnostic(await this.#failureShot(name));
        throw error;
      }
    });
  }

  async #failureShot(name) {
    const page = this.#current;
    if (!page || page.isClosed()) return "no page was open";
    const folder = await mkdtemp(path.join(tmpdir(), "xuanlan-e2e-failed-"));
    const file = path.join(folder, `${fileName(`${this.#title} ${name}`)}.png`);
    try {
      await page.screenshot({ path: file });
      return `${page.url()} · ${file}${page.problems?.length ? ` · ${page.problems.slice(-5).join(" | ")}` : ""}`;
    } catch (error) {
      return `${page.url()} · no picture: ${error.message}`;
    }
  }

  /** With E2E_SHOTS=folder every step saves screenshots at desktop and phone size. */
  async #keepShots(name) {
    const folder = process.env.E2E_SHOTS;
    const page = this.#current;
    if (!folder || !page || page.isClosed()) return;
    await mkdir(folder, { recursive: true });
    this.#shot += 1;
    const stem = fileName(`${this.#title} ${String(this.#shot).padStart(2, "0")} ${name}`);
    for (const size of [WIDE, NARROW]) {
      await page.setViewportSize(size);
      await drawn(page);
      await page.screenshot({ path: path.join(folder, `${stem}-${size.width}.png`) });
    }
    await page.setViewportSize(WIDE);
  }
}

/** Waits for two frames of a page, or a second: a page without scripts does not report its frames. */
function drawn(page) {
  const frames = page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
  return Promise.race([frames.catch(() => {}), setTimeout(1000)]);
}

const fileName = (text) => text.replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 120);
