/** Pages that are not open, unknown addresses, guards; what axe finds in a few states of pages. */
import assert from "node:assert/strict";
import { plainPath } from "../scripts/pages.mjs";
import { journey } from "./lib/journey.mjs";
import { headingOf, NOT_OPEN, personWithFile, routes, visitInside } from "./lib/pages.mjs";
import { acting, authDialog, passSlider } from "./lib/person.mjs";
import { findings as findingsOf, settled } from "./lib/sound.mjs";

journey("guards", {}, async (scene) => {
  const { site } = scene;
  const { person, ids } = await personWithFile(site);
  const context = await scene.context();
  await context.addCookies(person.cookies());
  const page = await scene.page(context);

  await scene.step("every other page of the table says that it is not open yet", async () => {
    await page.goto(site.url);
    await headingOf(page);
    const wrong = [];
    for (const route of routes.filter((one) => one.state === "soon")) {
      await visitInside(page, plainPath(route));
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
    const answer = await page.request.get(`${site.url}/topology`);
    assert.equal(answer.status(), 200);
    assert.equal(answer.headers()["x-robots-tag"], "noindex");
  });

  await scene.step("public pages carry their own title before any script has run", async () => {
    const answer = await page.request.get(`${site.url}/pricepage/`);
    assert.match(await answer.text(), /<title>会员与价格 - 玄览云<\/title>/);
    assert.equal(answer.headers().link, `<${site.url}/pricePage>; rel="canonical"`);
    const unlisted = await page.request.get(`${site.url}/workbench/myOrder`);
    assert.match(await unlisted.text(), /<title>我的订单 - 玄览云<\/title>/);
    assert.equal(unlisted.headers()["x-robots-tag"], "noindex");
  });

  await scene.step("an unknown address: 404 in Chinese, with a way home", async () => {
    const answer = await page.goto(`${site.url}/nothing/here`);
    assert.equal(answer.status(), 404);
    assert.equal(answer.headers()["x-robots-tag"], "noindex");
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
      await visitInside(visitor, `${plainPath(route)}?a=1`);
      await visitor.waitForURL((url) => url.pathname === "/login");
      assert.equal(new URL(visitor.url()).searchParams.get("returnURL"), `${plainPath(route)}?a=1`);
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
    "no accessibility findings",
    async () => {
      const found = {};
      const findings = async (tab, scope) => {
        await settled(tab);
        return findingsOf(tab, scope);
      };
      const visitor = await scene.page();
      await visitor.goto(site.url);
      await headingOf(visitor);
      found.home = await findings(visitor);
      await visitor.getByRole("button", { name: "登录", exact: true }).click();
      await authDialog(visitor).getByRole("tab", { name: "密码登录" }).click();
      found.login = await findings(visitor, '[role="dialog"]');
      await visitor.context().close();
      await page.goto(`${site.url}/workbench/myUpload`);
      await page.getByRole("link", { name: "镜方", exact: true }).waitFor();
      found.uploads = await findings(page);
      await page.goto(`${site.url}/workbench/myUpload/sourceFile?fileId=${ids.fileId}`);
      await page.getByText(/正在载入|正在解析/).waitFor({ state: "detached", timeout: 60_000 });
      await page.getByRole("application", { name: /^三维查看/ }).waitFor();
      found.viewer = await findings(page);
      await page.goto(`${site.url}/workbench/service?fileId=${ids.fileId}`);
      await page.getByText("限时免费").first().waitFor();
      found.service = await findings(page);
      assert.deepEqual(found, { home: [], login: [], uploads: [], viewer: [], service: [] });
    },
    page,
  );
});
