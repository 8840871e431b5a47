/**
 * A shared work: its maker creates a link, previews it, and embeds it in a third-party page without a framework, with a
 * strict policy and an origin of its own; other sites' pages and visitors of a revoked link see one plain page.
 */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { Client } from "./lib/client.mjs";
import { DESKTOP, journey } from "./lib/journey.mjs";
import { until } from "./lib/listings.mjs";
import { sample } from "./lib/models.mjs";
import { acting } from "./lib/person.mjs";
import { sound } from "./lib/sound.mjs";
import { putModel } from "./lib/store.mjs";
import { submittedWork } from "./lib/works.mjs";

const NAME = "齿轮 <b>箱</b>";
const PASSWORD = "芝麻开门";

/** A third-party site: one page that embeds, and its script. */
async function foreignSite(embed) {
  const state = { share: "" };
  const policy = `default-src 'none'; script-src 'self' ${embed}; style-src 'self'; frame-src ${embed}`;
  const server = createServer((request, response) => {
    response.setHeader("Content-Security-Policy", policy);
    if (request.url === "/page.js") {
      response.setHeader("Content-Type", "text/javascript");
      response.end(`
        const viewer = Xuanlan.embed(document.getElementById("model"), { url: ${JSON.stringify(`${embed}/e/${state.share}`)} });
        window.heard = [];
        for (const event of ["ready", "view", "error"]) viewer.on(event, (data) => heard.push([event, data]));
        window.viewer = viewer;`);
      return;
    }
    if (request.url === "/page.css") {
      response.setHeader("Content-Type", "text/css");
      response.end("#model { width: 320px; height: 240px } .below { height: 3000px }");
      return;
    }
    response.setHeader("Content-Type", "text/html; charset=utf-8");
    response.end(`<!doctype html><html lang="zh-CN"><title>别人的网站</title><link rel="stylesheet" href="/page.css">
      <h1>别人的网站</h1><div id="model"></div><div class="below"></div>
      <script src="${embed}/embed/v1.js"></script><script src="/page.js"></script></html>`);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  // The process exits even if a failed journey does not close this.
  server.unref();
  const { port } = server.address();
  return {
    state,
    url: (host) => `http://${host}:${port}/`,
    host: `127.0.0.1:${port}`,
    close: () => server.close(),
  };
}

// covers: X320 X321 X322 X323 X324 X325
journey("shares", { env: { XUANLAN__WORKS__REVIEW: "false" } }, async (scene) => {
  const { site } = scene;
  assert.ok(site.embed, "the address of shared works is told");
  const folder = await mkdtemp(path.join(tmpdir(), "xuanlan-e2e-shares-"));
  const foreign = await foreignSite(site.embed);
  const maker = await new Client(site).register("13911110071", "fenxiang-71");
  const fileId = await putModel(maker, await sample(folder, "vase", "齿轮.glb", 3000));
  for (const location of [0, 1]) await maker.call("P07", { location });
  const worksId = await submittedWork(maker, fileId, { name: NAME });
  const own = await scene.context({ userAgent: DESKTOP });
  await own.addCookies(maker.cookies());
  const studio = await scene.page(own);
  let url = "";

  await scene.step(
    "the maker builds a share and sees how it will be",
    async () => {
      await studio.goto(`${site.url}/workbench/myWorks/list`);
      await studio.getByRole("link", { name: `分享 ${NAME}` }).click();
      const form = studio.getByRole("form", { name: "分享设置" });
      await form.getByText("免费版最长 3 天，会员不限").waitFor();
      await form.getByRole("textbox", { name: "访问密码" }).fill(PASSWORD);
      await form.getByRole("textbox", { name: "可以嵌入的域名" }).fill(foreign.host);
      await form.getByRole("switch", { name: "进入画面就载入模型" }).click();
      await form.getByRole("combobox", { name: "背景" }).click();
      await studio.getByRole("option", { name: "浅灰" }).click();
      await acting(studio, "分享已创建", () => form.getByRole("button", { name: "创建分享" }).click());
      const { results } = await maker.call("X320", { worksId, pageNo: 1 });
      assert.match(results[0].shareId, /^[0-9a-f]{32}$/);
      url = `${site.embed}/e/${results[0].shareId}`;
      foreign.state.share = results[0].shareId;
      await studio.getByText(url, { exact: true }).waitFor();
      await studio.getByRole("img", { name: "用手机打开二维码" }).waitFor();
      const preview = studio.frameLocator("iframe");
      await preview.locator("html[data-phase=ready]").waitFor({ timeout: 120_000 });
      await acting(studio, "已取用当前视角，保存后生效", () =>
        form.getByRole("button", { name: "用预览的视角开始" }).click(),
      );
      await acting(studio, "已保存", () => form.getByRole("button", { name: "保存", exact: true }).click());
      const saved = (await maker.call("X320", { worksId, pageNo: 1 })).results[0];
      assert.equal(JSON.parse(saved.options).start.position.length, 3);
      assert.equal(saved.views, 0, "a preview does not count");
      await sound(studio, "what is shared of a work");
    },
    studio,
  );

  const visitor = await scene.page(await scene.context({ userAgent: DESKTOP }));
  await scene.step(
    "a page of another site shows it after its password, and speaks with it; no cookie is there",
    async () => {
      await visitor.goto(foreign.url("127.0.0.1"));
      const frame = visitor.frameLocator("iframe");
      assert.equal(await frame.getByText(NAME).count(), 0);
      await frame.getByLabel("访问密码").fill("not this");
      await frame.getByRole("button", { name: "查看" }).click();
      await frame.getByText("密码不正确，请重新输入").waitFor();
      await frame.getByLabel("访问密码").fill(PASSWORD);
      await frame.getByRole("button", { name: "查看" }).click();
      await frame.locator("html[data-phase=ready]").waitFor({ timeout: 120_000 });
      const seen = await visitor.evaluate(async () => {
        const { viewer } = window;
        await viewer.call("camera.set", { position: [5, 4, 3], target: [0, 0, 0], animate: false });
        const { position } = await viewer.call("camera.get");
        const parts = await viewer.call("parts");
        const picture = await viewer.call("screenshot", { width: 200 });
        const wrong = await viewer.call("part.show", { name: "no such part", visible: false }).catch(String);
        return { position, parts: parts.length, type: picture.type, bytes: picture.size, wrong };
      });
      assert.deepEqual(seen.position.map(Math.round), [5, 4, 3]);
      assert.ok(seen.bytes > 200 && seen.type.startsWith("image/"), JSON.stringify(seen));
      assert.match(seen.wrong, /name is not right/);
      assert.ok((await visitor.evaluate(() => window.heard)).some(([event]) => event === "view"));
      assert.deepEqual(await visitor.context().cookies(site.embed), []);
      // Out of view the WebGL context is released; back in view the model returns, without another counted view.
      await visitor.evaluate(() => scrollTo(0, 3000));
      await frame.locator("html[data-phase=away]").waitFor({ state: "attached" });
      assert.equal(await frame.locator("canvas").count(), 0);
      await visitor.evaluate(() => scrollTo(0, 0));
      await frame.locator("html[data-phase=ready]").waitFor({ timeout: 120_000 });
      await visitor.goto("about:blank");
      const looks = await until("how long it was seen", async () => {
        const { results } = await maker.call("X324", { shareId: foreign.state.share, pageNo: 1 });
        return results.length === 1 && results[0].seconds > 0 ? results : undefined;
      });
      assert.equal(looks[0].host, foreign.host);
    },
    visitor,
  );

  await scene.step(
    "a stranger's page and a revoked link show one plain page",
    async () => {
      await visitor.goto(foreign.url("localhost"));
      await visitor.frameLocator("iframe").getByText("此网站不能嵌入这个内容").waitFor();
      await studio.reload();
      await studio.getByRole("button", { name: /^撤销/ }).first().click();
      const sure = studio.getByRole("dialog", { name: "撤销这个分享" });
      await acting(studio, "已撤销，链接已经失效", () => sure.getByRole("button", { name: "撤销" }).click());
      for (const way of [
        { method: "GET" },
        { method: "POST", body: new URLSearchParams({ password: PASSWORD }) },
      ]) {
        const answer = await fetch(url, way);
        assert.equal(answer.status, 410);
        assert.equal(answer.headers.get("set-cookie"), null);
        const text = await answer.text();
        assert.match(text, /内容已不再分享/);
        assert.doesNotMatch(text, /齿轮|manifest|poster|<script/);
      }
      await visitor.goto(url);
      await visitor.getByRole("heading", { name: "内容已不再分享" }).waitFor();
      await rm(folder, { recursive: true });
      foreign.close();
    },
    visitor,
  );
});
