/**
 * The operators' console: enrolling, signing in, publishing and answering, every page, freezing and thawing, and the limits
 * of a role.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { askAsPerson } from "./lib/certifying.mjs";
import { Client } from "./lib/client.mjs";
import { journey } from "./lib/journey.mjs";
import { draftOf, handIn, waiting } from "./lib/listings.mjs";
import { sample } from "./lib/models.mjs";
import {
  consolePages,
  enrol,
  faultsHere,
  OWN_PAGE,
  operatorLink,
  settledFindings,
  signIn,
  visit,
} from "./lib/operators.mjs";
import { acting } from "./lib/person.mjs";
import { binary } from "./lib/site.mjs";
import { NARROW, WIDE } from "./lib/sound.mjs";
import { putFile, putModel } from "./lib/store.mjs";
import { requestedWithdrawal } from "./lib/withdrawals.mjs";
import { submittedWork } from "./lib/works.mjs";

const CARD = { name: "张三丰", number: "11010519491231002X" };
const TRIANGLE = Buffer.from("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");

/** A poster of 600 × 800 pixels, as a PNG. */
async function poster(page) {
  const url = await page.evaluate(() => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 600, height: 800 });
    const context = canvas.getContext("2d");
    context.fillStyle = "#1a4fd6";
    context.fillRect(0, 0, 600, 800);
    context.fillStyle = "#fff";
    context.font = "96px sans-serif";
    context.fillText("玄览云", 150, 400);
    return canvas.toDataURL("image/png");
  });
  return Buffer.from(url.split(",")[1], "base64");
}

/** Gives a reason and confirms the dialog. */
async function decide(page, title, reason, confirm) {
  const dialog = page.getByRole("dialog", { name: title });
  await dialog.getByLabel("原因（必填）").fill(reason);
  await dialog.getByRole("button", { name: confirm, exact: true }).click();
  return dialog;
}

journey("console", {}, async (scene) => {
  const { site } = scene;
  const person = await new Client(site).register("13911110077", "yunying-77");
  const friend = new Client(site);
  const folder = await mkdtemp(path.join(tmpdir(), "xuanlan-e2e-console-"));
  let page = await scene.page();
  let app;
  let listingId;
  const own = await scene.context();
  await own.addCookies(person.cookies());
  const onSite = await scene.page(own);

  await scene.step(
    "something waits: a certification, a friend who was brought, a name to look at, a job, a model for the mall, a work, a withdrawal, a need",
    async () => {
      await onSite.goto(`${site.url}/workbench/information?kind=personal`);
      await askAsPerson(onSite, CARD);
      await friend.register("13911110078", "yunying-78");
      requestedWithdrawal(site, friend);
      const { inviteCode } = await person.call("P32");
      const saved = await friend.answer("U01", { uid: friend.loginId, invitedcode: inviteCode });
      assert.equal(saved.resp_code, 200, saved.resp_msg);
      const words = ["personal", "word", "put", "旅程云", "--action", "review", "--by", "anna"];
      const env = { ...process.env, XUANLAN__DATA__DIR: site.data };
      await promisify(execFile)(binary(), words, { env });
      await friend.call("A11", { nickname: "旅程云的朋友" });
      await friend.call("R02", await putFile(friend, "triangle.obj", TRIANGLE));
      const fileId = await putModel(friend, await sample(folder, "vase", "vase.glb", 1500));
      const model = await draftOf(friend, fileId, "旅程花瓶");
      listingId = model.listingId;
      // its pictures are made during the steps before the pages
      const particulars = {
        categoryId: "c1304",
        intro: "旅程",
        license: "personal",
        price: 0,
        origin: "own",
      };
      await handIn(friend, listingId, particulars);
      await submittedWork(friend, fileId, { name: "旅程作品", description: "旅程" });
      await friend.call("M03", { serviceType: 1 });
      const { demandId } = await friend.call("X344", {
        category: "模型轻量化",
        title: "旅程需求",
        content: "装配体一份，轻量后不超过 12 MB，零件名称保留。",
        until: Date.now() + 7 * 86_400_000,
        contact: "13911110078",
      });
      await friend.call("X345", { demandId });
    },
  );

  await scene.step("the site's listener knows nothing of it", async () => {
    for (const address of [
      "/console.html",
      "/console",
      "/api-console/auth/session/me",
      "/openapi-console.json",
    ]) {
      const answer = await fetch(`${site.url}${address}`, {
        method: address.startsWith("/api") ? "POST" : "GET",
      });
      assert.equal(answer.status, 404, address);
    }
  });

  await scene.step(
    "enrols by a link, once, and signs in with a code of the app",
    async () => {
      const link = await operatorLink(site, "anna");
      app = await enrol(page, link);
      await signIn(page, "anna", app);
      const other = await scene.page();
      await other.goto(link);
      await other.getByRole("alert").waitFor();
      await other.context().close();
    },
    page,
  );

  await scene.step(
    "publishes an announcement, answers a feedback and a question; the user's open tab shows them",
    async () => {
      await person.call("P57", {
        companyName: "旅程机械",
        contactName: "周宁",
        contactPhone: "13911110079",
        demand: "旅程：整理零件",
        visitorId: "0123456789abcdef0123456789abcdef",
      });
      assert.equal(await person.call("P58", { visitorId: "0123456789abcdef0123456789abcdef" }), true);
      await person.call("P38", { feedbackType: 0, feedbackContent: "旅程：报告打不开", feedbackEnd: 0 });
      await person.call("X62", { content: "旅程：在吗", clientId: "console-1" });
      for (const location of [0, 1]) await person.call("P07", { location });
      const context = await scene.context();
      await context.addCookies(person.cookies());
      const theirs = await scene.page(context);
      await theirs.goto(`${site.url}/siteMap`);
      await theirs.getByRole("button", { name: "在线客服" }).click();
      const support = theirs.getByRole("dialog", { name: "在线客服" });
      await support.getByText("旅程：在吗").waitFor();

      await visit(page, site, "#/chat", "在线客服");
      await page.getByRole("list", { name: "会话" }).getByRole("link").first().click();
      await page.getByLabel("回复", { exact: true }).fill("旅程：在的");
      await page.keyboard.press("Enter");
      await support.getByText("旅程：在的").waitFor();
      await theirs.keyboard.press("Escape");

      await visit(page, site, "#/publications/new?kind=announcement", "新建内容");
      await page.getByLabel("标题").fill("旅程：升级维护");
      await page.getByLabel("内容", { exact: true }).fill("今晚升级，期间仍可查看。");
      await page.getByRole("button", { name: "发布", exact: true }).click();
      await acting(page, "已发布", () => page.getByRole("button", { name: "确认发布" }).click());

      await visit(page, site, "#/feedback?state=open", "反馈");
      await page.getByRole("link", { name: "旅程：报告打不开" }).click();
      await page.getByLabel("回复内容").fill("旅程：已修复");
      await acting(page, "已回复，用户会立即收到通知", () =>
        page.getByRole("button", { name: "发送回复" }).click(),
      );
      await page.getByRole("heading", { level: 1 }).getByText("已回复").waitFor();

      await theirs.goto(`${site.url}/workbench/myMessage`);
      const messages = theirs.getByRole("main").getByRole("listitem");
      await messages.filter({ hasText: "旅程：升级维护" }).waitFor();
      await messages.filter({ hasText: "旅程：已修复" }).waitFor();
      await context.close();
    },
    page,
  );

  await scene.step(
    "uploads an ad's picture, sees it at the sizes of a desk and of a hand; the user's page shows it",
    async () => {
      await visit(page, site, "#/publications/new?kind=popup", "新建内容");
      await page.getByLabel("位置").click();
      await page.getByRole("option", { name: "首页" }).click();
      const file = page.getByLabel("选择图片文件");
      const svg = Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>");
      await file.setInputFiles({ name: "poster.png", mimeType: "image/png", buffer: svg });
      await page.getByText("图片格式不正确！仅支持", { exact: false }).waitFor();
      await file.setInputFiles({ name: "poster.png", mimeType: "image/png", buffer: await poster(page) });
      for (const screen of ["电脑", "手机"]) {
        const shown = page.getByRole("img", { name: `广告图片（${screen}）` });
        await shown.waitFor();
        assert.equal(await shown.evaluate((image) => image.naturalWidth), 600, screen);
      }
      assert.deepEqual(await settledFindings(page), []);
      await page.getByRole("button", { name: "发布", exact: true }).click();
      await acting(page, "已发布", () => page.getByRole("button", { name: "确认发布" }).click());
      await page.waitForURL((url) => !url.hash.includes("/new"));
      const img = await page.getByLabel("图片地址").inputValue();

      const context = await scene.context();
      await context.addCookies(person.cookies());
      const theirs = await scene.page(context);
      await theirs.goto(`${site.url}/`);
      const ad = theirs.getByRole("dialog", { name: "活动推荐" }).getByRole("img");
      await ad.waitFor();
      assert.equal(await ad.getAttribute("src"), img);
      assert.deepEqual(theirs.problems, []);
      await context.close();

      await page.getByRole("button", { name: "撤下", exact: true }).click();
      await acting(page, "已撤下", () => decide(page, "撤下内容", "旅程：活动结束", "撤下"));
    },
    page,
  );

  // Before the pages: a second factor is fresh for ten minutes.
  await scene.step(
    "a role shows what it permits, and nothing else",
    async () => {
      await visit(page, site, "#/operators/roles", "角色与权限");
      await page.getByRole("button", { name: "新建角色" }).click();
      await page.getByLabel("名称").fill("只看用户");
      await page.getByLabel("查看用户", { exact: true }).check();
      await acting(page, "角色已保存", () => decide(page, "新建角色", "旅程", "保存"));
      await visit(page, site, "#/operators", "运营人员");
      await page.getByRole("button", { name: "添加", exact: true }).click();
      await page.getByLabel("登录名").fill("bert");
      await page.getByLabel("只看用户").check();
      await decide(page, "添加运营人员", "旅程", "生成开通链接");
      const given = page.getByRole("dialog", { name: "bert 的开通链接" });
      const link = /https?:\/\/\S+?#\/enrol\/[\w-]+/.exec(await given.textContent())?.[0];
      assert.ok(link, "no link was shown");

      const viewer = await scene.page();
      await signIn(viewer, "bert", await enrol(viewer, link));
      const rail = viewer.getByRole("navigation", { name: "运营后台" });
      assert.deepEqual(await rail.getByRole("link").allTextContents(), ["总览", "用户"]);
      await visit(viewer, site, `#/users/${person.loginId}`);
      assert.equal(await viewer.getByRole("button", { name: /冻结|结束|查看完整|重置|解除/ }).count(), 0);
      const closed = consolePages().filter(({ area, one }) => !one && !["overview", "users"].includes(area));
      for (const { address, title } of closed) {
        await visit(viewer, site, address, title);
        await viewer.getByText("没有查看这一页的权限").waitFor();
      }
      await visit(viewer, site, OWN_PAGE.address, OWN_PAGE.title);
      await viewer.getByRole("cell", { name: "本次登录" }).waitFor();
      await viewer.context().close();
    },
    page,
  );

  await scene.step(
    "every registered page: its heading, no complaints, axe, no wider than the screen",
    async () => {
      await waiting(friend, listingId);
      await rm(folder, { recursive: true });
      const wrong = [];
      for (const size of [WIDE, NARROW]) {
        await page.setViewportSize(size);
        for (const { area, title, one, address } of [...consolePages(), OWN_PAGE]) {
          page.problems.length = 0;
          if (one) {
            await visit(page, site, `#/${area}`);
            const link = page.getByRole("main").locator(`:is(table, ul) a[href^="#/${area}/"]`).first();
            if ((await link.count()) === 0) {
              wrong.push(`${area}: its list is empty, so the page of one was not looked at`);
              continue;
            }
            await visit(page, site, await link.getAttribute("href"));
          } else {
            await visit(page, site, address, title);
          }
          wrong.push(...(await faultsHere(page, address)));
        }
      }
      await page.setViewportSize(WIDE);
      assert.deepEqual(wrong, []);
    },
    page,
  );

  // The pages may take longer than a second factor stays fresh.
  await scene.step("signs in again", async () => {
    await page.context().close();
    page = await scene.page();
    await page.goto(`${site.console}/console.html`);
    await signIn(page, "anna", app);
  });

  await scene.step(
    "claims a certification, looks at number and picture, approves: the badge comes to the user's open page",
    async () => {
      await visit(page, site, "#/", "总览");
      await page.getByRole("region", { name: "待审认证" }).getByRole("link", { name: "1" }).click();
      await page.getByRole("link", { name: "张**" }).click();
      await acting(page, "已领取，15 分钟内由您审核", () =>
        page.getByRole("button", { name: "领取", exact: true }).click(),
      );
      assert.equal((await page.content()).includes(CARD.number), false, "the number is masked");
      await page.getByRole("button", { name: "查看完整信息" }).click();
      await page.getByText(CARD.number).waitFor();
      await page.getByRole("button", { name: "查看身份证人像面" }).click();
      const picture = page.getByRole("img", { name: "身份证人像面" });
      await picture.waitFor();
      assert.match(await picture.getAttribute("src"), /^data:image\/jpeg;base64,/);
      await onSite.goto(`${site.url}/siteMap`);
      await page.getByRole("button", { name: "通过", exact: true }).click();
      await acting(page, "认证已通过", () => decide(page, "通过认证", "旅程：材料一致", "通过"));
      await onSite.getByRole("banner").getByRole("img", { name: "个人认证" }).waitFor();
      assert.equal((await person.call("P01")).checkStatus, 1);
      const id = decodeURIComponent(new URL(page.url()).hash.split("/").pop());
      await visit(page, site, `#/log?target=${id}`, "操作日志");
      // a claim, two looks, a decision
      await page.getByRole("cell", { name: "旅程：材料一致" }).waitFor();
      assert.equal(
        await page.getByRole("button", { name: /^(查看认证材料|领取认证申请|审核认证)/ }).count(),
        4,
      );
    },
    page,
  );

  await scene.step(
    "finds a user by the keyboard, freezes him with a reason, thaws him; both stand in the log",
    async () => {
      await visit(page, site, "#/", "总览");
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox").fill(person.phone);
      await page.getByRole("option").filter({ hasText: "139" }).first().waitFor();
      await page.keyboard.press("Enter");
      await page.waitForURL((url) => url.hash === `#/users/${person.loginId}`);

      await page.getByRole("button", { name: "冻结", exact: true }).click();
      await decide(page, "冻结账号", "旅程：疑似被盗用", "冻结");
      await page.getByRole("heading", { level: 1 }).getByText("已冻结").waitFor();
      assert.notEqual((await person.answer("P01")).resp_code, 60000, "the session of a frozen user lives on");

      await page.getByRole("button", { name: "解冻", exact: true }).click();
      await acting(page, "账号已解冻", () => decide(page, "解冻账号", "旅程：已核实", "解冻"));
      await visit(page, site, `#/log?target=${person.loginId}`, "操作日志");
      for (const reason of ["旅程：疑似被盗用", "旅程：已核实"])
        await page.getByRole("cell", { name: reason }).waitFor();
      await page.getByRole("button", { name: "验证审计链" }).click();
      await page.getByText(/审计链完整/).waitFor();
    },
    page,
  );
});
