/** Messages in every tab, followed users, feedback with its answer, and the conversation with the support. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { Client } from "./lib/client.mjs";
import { journey } from "./lib/journey.mjs";
import { until } from "./lib/listings.mjs";
import { sample } from "./lib/models.mjs";
import { acting } from "./lib/person.mjs";
import { binary } from "./lib/site.mjs";
import { findings, NARROW, tooWide, WIDE } from "./lib/sound.mjs";
import { putModel } from "./lib/store.mjs";

const PASSWORD = "qingci-01";
/** An archive without files. */
const EMPTY_ZIP = Buffer.concat([Buffer.from("PK\x05\x06"), Buffer.alloc(18)]);
/** One pixel. */
const PICTURE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** What an operator's ad shows. */
const POSTER =
  '<svg xmlns="http://www.w3.org/2000/svg" width="480" height="360"><path fill="#1F5EFF" d="M0 0h480v360H0z"/></svg>';

// MS001 MS002 MS003 MS005 TB002 PP011
// covers: P12 P13 P33 P34 P35 P38 P40 X40 X41 X42 X43 X60 X61 X62
journey("messages", {}, async (scene) => {
  const { site } = scene;
  const folder = await mkdtemp(path.join(tmpdir(), "xuanlan-e2e-messages-"));
  const operator = async (...words) => {
    const env = { ...process.env, XUANLAN__DATA__DIR: site.data };
    const { stdout } = await promisify(execFile)(binary(), ["personal", ...words], { env });
    return stdout
      .trim()
      .split("\n")
      .map((line) => line.split("\t"));
  };
  const person = await new Client(site).register("13912345680", PASSWORD);
  const follower = await new Client(site).register("13912345681", PASSWORD);
  await follower.call("A11", { nickname: "山间清风", introduce: "做机械设计十二年。" });
  for (const location of [0, 1]) await person.call("P07", { location });
  // The profile comes by an event of the registration.
  const accountNumber = await until(
    "the account number",
    async () => (await follower.call("P01")).accountNumber,
  );

  const context = await scene.context();
  await context.addCookies(person.cookies());
  const page = await scene.page(context);
  const other = await scene.page(context);
  const main = page.getByRole("main");
  const row = (title) => main.getByRole("listitem").filter({ hasText: title });
  const dots = (state) =>
    Promise.all([page, other].map((tab) => tab.getByTestId("unread-dot").waitFor({ state })));
  const toGroup = (name) =>
    main.getByRole("navigation", { name: "消息分组" }).getByRole("link", { name }).click();
  const clean = async () => {
    assert.deepEqual(await findings(page), [], page.url());
  };
  const looksWell = async () => {
    for (const size of [NARROW, WIDE]) {
      await page.setViewportSize(size);
      assert.equal(await tooWide(page), 0, `${page.url()} is too wide at ${size.width}`);
      await clean();
    }
  };

  await scene.step(
    "a follower lights the dot in both tabs; read in one, it goes out in the other (MS005, MS006)",
    async () => {
      await Promise.all([
        page.goto(`${site.url}/workbench/myMessage/attention`),
        other.goto(`${site.url}/siteMap`),
      ]);
      await main.getByText("还没有关注消息").waitFor();
      await other.getByRole("button", { name: "我的账号" }).waitFor();
      await dots("detached");
      await follower.call("P33", { operation: "follow", targetId: person.loginId });
      await Promise.all([row("山间清风 关注了您。").waitFor(), dots("visible")]);
      const flags = async () => await person.call("P35");
      assert.deepEqual(await flags(), { isreadAllMessage: false, isreadMessage: false });
      assert.equal((await person.call("P02")).unReadMessageCount, 1, "AV016");
      await row("新增关注").getByRole("button", { name: "标为已读" }).click();
      await dots("detached");
      assert.deepEqual(await flags(), { isreadAllMessage: true, isreadMessage: true });
    },
    page,
  );

  await scene.step(
    "each group holds its own: a check-up, an announcement by command",
    async () => {
      const file = path.join(folder, "announcement.json");
      const notice = { title: "升级维护", content: "升级期间仍可查看模型。", link: "/helpCenter" };
      await writeFile(file, JSON.stringify(notice));
      await putModel(person, await sample(folder, "lens-cube", "减速器外壳.glb", 2000));
      await dots("visible");
      await operator("publication", "publish", "announcement", file, "--by", "anna");
      await toGroup("公告");
      await row("升级期间仍可查看模型。").waitFor();
      assert.equal(await row("减速器外壳").count(), 0);
      await toGroup("模型处理");
      await row("文件「减速器外壳.glb」已通过体检").waitFor();
      assert.equal(await row("升级维护").count(), 0);
      await toGroup("全部");
      for (const title of ["新增关注", "模型体检完成", "升级维护"]) await row(title).waitFor();
      await looksWell();
    },
    page,
  );

  await scene.step(
    "who follows where a message leads has read it; all are read at once; a deleted one is gone",
    async () => {
      await row("升级维护").getByRole("link", { name: "查看" }).click();
      await page.waitForURL("**/helpCenter");
      await page.goBack();
      await row("升级维护").getByRole("img", { name: "已读" }).waitFor();
      await main.getByText("1 条未读").waitFor();
      await main.getByRole("button", { name: "全部已读" }).click();
      await dots("detached");
      await row("模型体检完成").getByRole("button", { name: "删除" }).click();
      await row("模型体检完成").waitFor({ state: "detached" });
      assert.equal((await person.call("X40", { group: "modelProcessing" })).totalCount, 0);
      assert.equal(await row("升级维护").getByRole("button", { name: "删除" }).count(), 0, "everybody's");
    },
    page,
  );

  await scene.step(
    "following by account number, each other, and no more",
    async () => {
      await page.goto(`${site.url}/workbench/account/myConcern`);
      await main.getByText("还没有关注任何人").waitFor();
      await main.getByLabel("对方的账号").fill(accountNumber);
      await page.keyboard.press("Enter");
      await row("山间清风").getByText("互相关注").waitFor();
      await row("山间清风").getByText("做机械设计十二年。").waitFor();
      await looksWell();
      await main.getByRole("link", { name: "我的粉丝" }).click();
      await row("山间清风").waitFor();
      await page.goBack();
      await row("山间清风").getByRole("button", { name: "取消关注" }).click();
      await main.getByText("还没有关注任何人").waitFor();
      assert.equal((await person.call("P33", { operation: "list" })).totalCount, 0);
    },
    page,
  );

  await scene.step(
    "feedback by keyboard, with a picture and an archive",
    async () => {
      await page.goto(`${site.url}/siteMap`);
      const open = page.getByRole("button", { name: "反馈问题与建议" });
      await open.press("Enter");
      const dialog = page.getByRole("dialog", { name: "问题与建议" });
      const kind = dialog.getByRole("button", { name: "产品建议" });
      await kind.press("Space");
      await dialog.getByRole("textbox", { name: "问题与建议" }).focus();
      await page.keyboard.type("希望报告里有零件表");
      const picture = { name: "零件.png", mimeType: "image/png", buffer: PICTURE };
      await dialog.getByLabel("图片", { exact: true }).and(page.locator("input")).setInputFiles(picture);
      const annex = { name: "装配.zip", mimeType: "application/zip", buffer: EMPTY_ZIP };
      await dialog.getByLabel("附件", { exact: true }).and(page.locator("input")).setInputFiles(annex);
      await dialog.getByRole("button", { name: /^移除/ }).nth(1).waitFor();
      await dialog.getByRole("progressbar").first().waitFor({ state: "detached" });
      await clean();
      await acting(page, "提交成功", () => dialog.getByRole("button", { name: "提交" }).press("Enter"));
      await dialog.getByText("希望报告里有零件表").waitFor();
      await dialog.getByText("处理中").waitFor();

      const waiting = await operator("feedback", "list");
      const [id] = waiting.find(([, , loginId]) => loginId === person.loginId);
      await operator("feedback", "answer", id, "已排进下个版本", "--by", "anna");
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "hidden" });
      assert.equal(await open.evaluate((cell) => cell === document.activeElement), true, "the focus is back");
      await page.keyboard.press("Enter");
      await dialog.getByRole("tab", { name: "我的反馈" }).press("Enter");
      await dialog.getByText("已排进下个版本").waitFor();
      const shown = dialog.getByRole("img", { name: "图片 1" });
      await shown.waitFor();
      await page.waitForFunction((image) => image.naturalWidth > 0, await shown.elementHandle());
      const link = dialog.getByRole("link", { name: /下载附件.*\.zip/ });
      const kept = await fetch(await link.getAttribute("href"));
      assert.deepEqual(Buffer.from(await kept.arrayBuffer()), EMPTY_ZIP);
      assert.match(kept.headers.get("content-disposition"), /attachment/);
      await clean();
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "hidden" });
    },
    page,
  );

  await scene.step(
    "the support answers while the conversation is open",
    async () => {
      const open = page.getByRole("button", { name: "在线客服" });
      await open.press("Enter");
      const dialog = page.getByRole("dialog", { name: "在线客服" });
      await dialog.getByText("您好，请描述您的问题。").waitFor();
      await page.keyboard.type("上传停在 97%");
      await page.keyboard.press("Enter");
      const log = dialog.getByRole("log");
      await log.getByText("上传停在 97%").waitFor();
      const waiting = await operator("chat", "list");
      assert.ok(waiting.some(([loginId]) => loginId === person.loginId));
      const [[, who, said]] = await operator("chat", "show", person.loginId);
      assert.deepEqual([who, said], ["user", "上传停在 97%"]);
      await operator("chat", "answer", person.loginId, "装配较大，请稍候", "--by", "anna");
      await log.getByText("装配较大，请稍候").waitFor();
      await clean();
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "hidden" });
      assert.equal(await open.evaluate((cell) => cell === document.activeElement), true, "the focus is back");
      assert.deepEqual([...page.problems, ...other.problems], []);
    },
    page,
  );
  await scene.step(
    "an ad and a word to members come over the workbench one after the other; closed is closed (PP001, PP002, PP008, PP009, PP010, PP011)",
    async () => {
      const publish = async (kind, content) => {
        const file = path.join(folder, `${kind}.json`);
        await writeFile(file, JSON.stringify(content));
        await operator("publication", "publish", kind, file, "--by", "anna");
      };
      await publish("popup", { place: 2, img: "/poster.svg", jumpLink: "/pricePage", popRule: 1 });
      await publish("memberPopup", { tipText: "会员日：七月首周" });
      // A browser that has requested nothing today.
      const fresh = await scene.context();
      await fresh.addCookies(person.cookies());
      const away = await scene.page(fresh);
      await away.route("**/poster.svg", (route) =>
        route.fulfill({ contentType: "image/svg+xml", body: POSTER }),
      );
      const ad = away.getByRole("dialog", { name: "活动推荐" });
      const word = away.getByRole("dialog", { name: "会员通知" });
      await away.goto(`${site.url}/workbench`);
      await ad.or(word).waitFor();
      const first = (await word.isVisible()) ? word : ad;
      const second = first === word ? ad : word;
      const closed = away.waitForResponse((response) => response.url().endsWith("/cancelMemberPopup"));
      await away.keyboard.press("Escape");
      await first.waitFor({ state: "detached" });
      await second.waitFor();
      await away.keyboard.press("Tab");
      const inside = (dialog) => dialog.contains(document.activeElement);
      assert.ok(await second.evaluate(inside), "the focus stays in the popup");
      await away.keyboard.press("Escape");
      await second.waitFor({ state: "detached" });
      assert.equal((await (await closed).json()).resp_code, 60000);

      await away.evaluate(() => localStorage.clear());
      const again = away.waitForResponse((response) => response.url().endsWith("/getMemberPopup"));
      await away.reload();
      assert.equal((await (await again).json()).datas?.id, undefined, "closed once, it does not come again");
      await ad.waitFor();
      await ad.getByRole("link").click();
      await away.waitForURL(`${site.url}/pricePage`);
      assert.deepEqual(away.problems, []);
    },
    page,
  );
  await rm(folder, { recursive: true, force: true });
});
