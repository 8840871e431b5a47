/** Every page of the table opens by its address; guards, 404, accessibility. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import AxeBuilder from "@axe-core/playwright";
import { Client } from "./lib/client.mjs";
import { journey } from "./lib/journey.mjs";
import { sample } from "./lib/models.mjs";
import { acting, authDialog, passSlider } from "./lib/person.mjs";
import { pageRoutes } from "./lib/routes.mjs";
import { putModel } from "./lib/store.mjs";

const NOT_OPEN = "该页面尚未开放";
const BROKEN = ["页面出错了", "页面不存在"];
const routes = pageRoutes();
/** Pages that show one thing are opened with its id. */
function addressOf(route, ids) {
  if (/\/(sourceFile|editDialog|publishDialog|lightweight)$/.test(route.path)) {
    return `${plain(route)}?fileId=${ids.fileId}`;
  }
  if (route.path.endsWith("/serviceResult/details")) return `${plain(route)}?resultId=${ids.resultId}`;
  return plain(route);
}

/** The address with its optional parameters left out. */
const plain = (route) => route.path.replace(/\/:\w+\?/g, "");

/** Waits for the page's own heading and answers it. */
async function headingOf(page) {
  // not by its role: behind an open dialog it has none
  const heading = page.locator("h1").first();
  await heading.waitFor();
  return (await heading.textContent()).trim();
}

/** Goes to an address inside the running page, as a link of it would. */
async function visitInside(page, address) {
  await page.evaluate((to) => {
    history.pushState(null, "", to);
    dispatchEvent(new PopStateEvent("popstate", { state: null }));
  }, address);
}

/** Serious or critical findings; the rest is judged by eye. */
async function seriousFindings(page, scope) {
  const builder = new AxeBuilder({ page });
  if (scope) builder.include(scope);
  const { violations } = await builder.analyze();
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .map((node) => node.target.join(" "))
          .slice(0, 3)
          .join(", ")}`,
    );
}

// covers: @open-routes P06 P07
journey("pages", {}, async (scene) => {
  const { site } = scene;
  const folder = await mkdtemp(path.join(tmpdir(), "xuanlan-e2e-pages-"));
  const person = await new Client(site).register("13911110005", "liulan-05");
  const fileId = await putModel(person, await sample(folder, "lens-cube", "镜方.glb", 2000));
  const resultId = await person.call("X04", {
    fileId,
    serviceType: "convert",
    params: JSON.stringify({ format: "stl" }),
  });
  for (const location of [0, 1]) await person.call("P07", { location });
  const context = await scene.context();
  await context.addCookies(person.cookies());
  const page = await scene.page(context);

  await scene.step("every open page renders its heading by its address, without complaints", async () => {
    const wrong = [];
    for (const route of routes.filter((one) => one.open && one.path !== "/login")) {
      page.problems.length = 0;
      const say = (what) => wrong.push(`${route.path}: ${what}`);
      const answer = await page.goto(site.url + addressOf(route, { fileId, resultId }));
      const heading = await headingOf(page).catch(() => "");
      const title = await page.title();
      if (answer.status() !== 200) say(`status ${answer.status()}`);
      if (!heading || heading === NOT_OPEN || BROKEN.includes(heading)) say(`heading ${heading}`);
      if (!title.includes("玄览云")) say(`title ${title}`);
      if (route.path !== "/" && !title.startsWith(route.title)) say(`title ${title}`);
      if (new URL(page.url()).pathname !== plain(route)) say(`went to ${page.url()}`);
      await page.waitForLoadState("networkidle");
      for (const problem of page.problems) say(problem);
    }
    assert.deepEqual(wrong, []);
  });

  await scene.step("every other page of the table says that it is not open yet", async () => {
    await page.goto(site.url);
    await headingOf(page);
    const wrong = [];
    for (const route of routes.filter((one) => !one.open)) {
      await visitInside(page, plain(route));
      await page
        .getByRole("heading", { level: 1, name: NOT_OPEN })
        .and(page.locator(`h1`))
        .waitFor()
        .catch(() => wrong.push(route.path));
      await page.getByText(route.title, { exact: true }).first().waitFor();
      await visitInside(page, "/agreement");
      await page.getByRole("heading", { level: 1, name: /协议/ }).waitFor();
    }
    assert.deepEqual(wrong, []);
  });

  await scene.step("an unknown address: 404 in Chinese, with a way home", async () => {
    const answer = await page.goto(`${site.url}/nothing/here`);
    assert.ok([200, 404].includes(answer.status()));
    await page.getByRole("heading", { level: 1, name: "页面不存在" }).waitFor();
    await page.getByRole("link", { name: "返回首页" }).click();
    await page.waitForURL(`${site.url}/`);
  });

  await scene.step("guarded pages send a visitor to sign-in and bring him back", async () => {
    const visitor = await scene.page();
    const guarded = routes.filter((one) => one.access === "login");
    await visitor.goto(`${site.url}/agreement`);
    await headingOf(visitor);
    for (const route of guarded) {
      await visitInside(visitor, `${plain(route)}?a=1`);
      await visitor.waitForURL((url) => url.pathname === "/login");
      assert.equal(new URL(visitor.url()).searchParams.get("returnURL"), `${plain(route)}?a=1`);
    }
    await visitor.goto(`${site.url}/workbench/myUpload?keyword=x`);
    await visitor.waitForURL((url) => url.pathname === "/login");
    await visitor.getByRole("tab", { name: "密码登录" }).click();
    await visitor.getByLabel("手机号或邮箱").fill(person.phone);
    await visitor.getByLabel("密码", { exact: true }).fill(person.password);
    await acting(visitor, "登录成功", () =>
      passSlider(visitor, site, () =>
        visitor.getByRole("main").getByRole("button", { name: "登录", exact: true }).click(),
      ),
    );
    await visitor.waitForURL(`${site.url}/workbench/myUpload?keyword=x`);
    await visitor.goto(`${site.url}/login?returnURL=${encodeURIComponent("https://evil.example/")}`);
    await visitor.waitForURL(`${site.url}/`);
    await visitor.context().close();
  });

  await scene.step(
    "no serious accessibility findings",
    async () => {
      const found = {};
      const visitor = await scene.page();
      await visitor.goto(site.url);
      await headingOf(visitor);
      await visitor.waitForLoadState("networkidle");
      found.home = await seriousFindings(visitor);
      await visitor.getByRole("button", { name: "登录", exact: true }).click();
      await authDialog(visitor).getByRole("tab", { name: "密码登录" }).click();
      // contrast is measured once the dialog has faded in
      await visitor.waitForFunction(() =>
        document.getAnimations().every((one) => one.playState !== "running"),
      );
      found.login = await seriousFindings(visitor, '[role="dialog"]');
      await visitor.context().close();
      await page.goto(`${site.url}/workbench/myUpload`);
      await page.getByRole("link", { name: "镜方", exact: true }).waitFor();
      found.uploads = await seriousFindings(page);
      await page.goto(`${site.url}/workbench/myUpload/sourceFile?fileId=${fileId}`);
      await page.getByText(/正在载入模型|正在解析模型/).waitFor({ state: "detached", timeout: 60_000 });
      await page.getByRole("application", { name: /^三维查看/ }).waitFor();
      found.viewer = await seriousFindings(page);
      assert.deepEqual(found, { home: [], login: [], uploads: [], viewer: [] });
    },
    page,
  );

  await scene.step("a phone: no page is wider than the screen", async () => {
    await page.setViewportSize({ width: 375, height: 812 });
    const wide = [];
    for (const route of routes.filter((one) => one.open && one.path !== "/login")) {
      await page.goto(site.url + addressOf(route, { fileId, resultId }));
      await headingOf(page);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      if (width > 375) wide.push(`${route.path}: ${width}`);
    }
    assert.deepEqual(wide, []);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  await rm(folder, { recursive: true, force: true });
});
