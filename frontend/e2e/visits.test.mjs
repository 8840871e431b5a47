/** What a browser sends the analytics host about a visit, as seen on the network. */
import assert from "node:assert/strict";
import { journey } from "./lib/journey.mjs";

const YEAR_S = 365 * 86_400;

// covers: P43 V01 V02 V03 V04 V05
journey("visits", {}, async (scene) => {
  const { site } = scene;
  const context = await scene.context();
  // The time at which React replaces the file's own content by the page.
  await context.addInitScript(() => {
    new MutationObserver((_, observer) => {
      const shown = document.querySelector("#root > *");
      if (!shown || shown.classList.contains("boot")) return;
      window.mountedAt = Date.now();
      observer.disconnect();
    }).observe(document, { childList: true, subtree: true });
  });
  const page = await scene.page(context);
  const seen = [];
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (/^\/(visitor|support|action)\//.test(url.pathname) || url.pathname.endsWith("/saveUserVisitRecord"))
      seen.push({ at: Date.now(), host: url.host, path: url.pathname, body: request.postData() ?? "" });
  });
  const beacon = (path) => page.waitForResponse((response) => new URL(response.url()).pathname === path);
  const record = (path) => JSON.parse(seen.findLast((one) => one.path === path).body);
  const cookie = async () => (await context.cookies()).find((one) => one.name === "visitor");
  let uuid;

  await scene.step(
    "AN001, AN002, AN003, AN005, AN006, AM074, AM075: the visit begins at a host of its own",
    async () => {
      const referer = "https://www.baidu.com/";
      const [added] = await Promise.all([
        beacon("/visitor/add"),
        page.goto(`${site.url}/pricePage?dap=spring`, { referer }),
      ]);
      const mounted = await page.evaluate(() => window.mountedAt);
      const [first] = seen;
      assert.ok(first.at - mounted >= 500, `after ${first.at - mounted} ms`);
      assert.notEqual(first.host, new URL(site.url).host);
      const reply = await added.json();
      assert.equal(reply.resp_code, 60000);
      uuid = reply.datas;
      assert.match(uuid, /^[0-9a-f]{32}$/);
      const kept = await cookie();
      assert.deepEqual(Object.keys(record("/visitor/add")).sort(), [
        "cookie",
        "dap",
        "entranceUrl",
        "isJson",
        "source",
        "sourceUrl",
      ]);
      assert.equal(record("/visitor/add").cookie, kept.value);
      const { dap, source, sourceUrl } = record("/visitor/add");
      assert.deepEqual({ dap, source, sourceUrl }, { dap: "spring", source: "search", sourceUrl: referer });
      assert.ok(Math.abs(kept.expires - Date.now() / 1000 - YEAR_S) < 120);
    },
  );

  await scene.step(
    "AN008: a click in the toolbar is a support click, and the page it opens belongs to the visit",
    async () => {
      const [clicked, updated] = await Promise.all([
        beacon("/support/click"),
        beacon("/visitor/update"),
        page.getByRole("button", { name: "帮助文档" }).click(),
      ]);
      assert.equal((await clicked.json()).resp_code, 60000);
      assert.equal(record("/support/click").item, "帮助文档");
      assert.equal((await updated.json()).datas, uuid);
      assert.equal(new URL(record("/visitor/update").url).pathname, "/helpCenter");
    },
  );

  await scene.step(
    "AN009, AN010, AN011, AN012, AM074, AM089: a click in the header goes to the action log and to the site's own record",
    async () => {
      const [saved, logged] = await Promise.all([
        page.waitForResponse((response) => response.url().endsWith("/saveUserVisitRecord")),
        beacon("/action/log"),
        page.getByRole("banner").getByRole("link", { name: /玄览/ }).first().click(),
      ]);
      assert.equal((await logged.json()).resp_code, 60000);
      const fields = ["location", "node", "source", "tag", "template", "touristId", "user_id", "username"];
      assert.deepEqual(Object.keys(record("/action/log")).sort(), fields);
      assert.equal(record("/action/log").node, "header");
      const { resp_code, datas } = await saved.json();
      assert.equal(resp_code, 60000);
      assert.equal(datas, (await cookie()).value);
    },
  );

  await scene.step("AN014: without the cookie no update is sent", async () => {
    await page.waitForURL(`${site.url}/`);
    await context.clearCookies({ name: "visitor" });
    const before = seen.length;
    await page.evaluate(() =>
      document.querySelector("footer a[href='/siteMap'], a[href='/siteMap']").click(),
    );
    await page.waitForURL(`${site.url}/siteMap`);
    await page.waitForTimeout(300);
    assert.deepEqual(
      seen.slice(before).filter((one) => one.path === "/visitor/update"),
      [],
    );
  });

  await scene.step("AN004: leaving the page ends the visit", async () => {
    const [{ host }] = seen;
    const { cookie: visitor } = record("/visitor/add");
    // The browser sends it after the page is gone: ask the host whether it arrived.
    const update = async () => {
      const body = JSON.stringify({ uuid, cookie: visitor, url: site.url });
      const sent = await fetch(`http://${host}/visitor/update`, { method: "POST", body });
      return (await sent.json()).resp_code;
    };
    assert.equal(await update(), 60000);
    await page.goto("about:blank");
    const late = Date.now() + 60_000;
    while ((await update()) !== 60104) assert.ok(Date.now() < late, "the visit did not end");
  });

  await scene.step("who asks not to be followed sends nothing and has no cookie", async () => {
    const quiet = await scene.context();
    await quiet.addInitScript(() => Object.defineProperty(navigator, "doNotTrack", { value: "1" }));
    const visitor = await scene.page(quiet);
    const sent = [];
    visitor.on("request", (request) => sent.push(new URL(request.url()).pathname));
    await visitor.goto(`${site.url}/siteMap`);
    await visitor.getByRole("heading", { level: 1 }).waitFor();
    await visitor.waitForTimeout(1500);
    assert.deepEqual(
      sent.filter((path) => path.startsWith("/visitor")),
      [],
    );
    assert.deepEqual(await quiet.cookies(), []);
    assert.deepEqual(visitor.problems, []);
  });
});
