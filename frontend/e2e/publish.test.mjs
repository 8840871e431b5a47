/**
 * The publish centre, on a maker's pages: a checked file is released, described, sent back, corrected and
 * listed; several at once; taken off the mall and back; a new version beside the one on sale. Visitors' views are covered by
 * the journey of the mall.
 */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Client } from "./lib/client.mjs";
import { journey } from "./lib/journey.mjs";
import { released, stateOf, until, waiting } from "./lib/listings.mjs";
import { sample } from "./lib/models.mjs";
import { enrol, operatorLink, signIn } from "./lib/operators.mjs";
import { acting, refused } from "./lib/person.mjs";
import { sound } from "./lib/sound.mjs";
import { putModel } from "./lib/store.mjs";

const LAMP = "胡桃木台灯";
const REASON = "旅程：一句话介绍与模型不符";

// covers: X100 X101 X102 X103 X104 X105 X106 X107 X108 X109 X115
// covers: /publishCenter /publishCenter/procedSourceFile /publishCenter/toBeReleased /publishCenter/details
journey("publish", {}, async (scene) => {
  const { site } = scene;
  const folder = await mkdtemp(path.join(tmpdir(), "xuanlan-e2e-publish-"));
  const maker = await new Client(site).register("13911110092", "fabu-zhe-92");
  const file = await putModel(maker, await sample(folder, "lamp", "台灯.glb", 3000));
  const own = await scene.context();
  await own.addCookies(maker.cookies());
  const desk = await scene.page(own);
  const office = await scene.page();
  const form = desk.getByRole("form", { name: "模型资料" });
  const go = (address) => desk.goto(`${site.url}/publishCenter${address}`);
  const row = (name) => desk.getByRole("row").filter({ hasText: name });
  let lamp;

  /** Finds it in the queue and opens it. */
  async function open(name) {
    await office.goto(`${site.console}/console.html#/mall`);
    await office.getByRole("main").getByRole("link", { name, exact: true }).click();
    await office.getByRole("heading", { level: 1, name }).waitFor();
  }
  async function decide(button, title, reason) {
    await office.getByRole("button", { name: button, exact: true }).click();
    const dialog = office.getByRole("dialog", { name: title });
    await dialog.getByLabel("原因（必填）").fill(reason);
    await dialog.getByRole("button", { name: button, exact: true }).click();
    await dialog.waitFor({ state: "hidden" });
  }

  await scene.step(
    "a file that passed its check is released and waits for its particulars",
    async () => {
      await go("/procedSourceFile");
      await desk.getByRole("button", { name: /^发布 / }).click();
      const dialog = desk.getByRole("dialog");
      await dialog.getByLabel("模型名称").fill(LAMP);
      await dialog.getByRole("button", { name: "发布", exact: true }).click();
      await dialog.waitFor({ state: "hidden" });
      const { listing } = await until("the draft", async () => {
        const { results } = await maker.call("X100");
        return results.find(({ fileId }) => fileId === file);
      });
      lamp = listing.listingId;
      await go("");
      await desk.getByRole("link", { name: LAMP }).waitFor();
      await sound(desk, "the publish centre's home");
      await go("/toBeReleased");
      await row(LAMP).getByText("待完善").waitFor();
    },
    desk,
  );

  await scene.step(
    "what is wrong is told at its field; what is right is handed in",
    async () => {
      await desk.getByRole("link", { name: LAMP, exact: true }).click();
      const submit = form.getByRole("button", { name: "保存并提交审核" });
      await form.getByLabel("模型名称").fill("");
      await refused(submit);
      for (const text of ["请填写模型名称", "请选择分类", "请填写一句话介绍", "请填写价格"])
        await form.getByText(text, { exact: true }).waitFor();
      await form.getByRole("textbox", { name: "价格" }).fill("0.5");
      await form.getByLabel("一句话介绍").fill("字".repeat(101));
      await form.getByLabel("模型名称").fill(LAMP);
      await refused(submit);
      await form.getByText("价格为 0（免费）或 1 至 99,999.99 元，最多两位小数").waitFor();
      await form.getByText("一句话介绍最多 100 个字符").waitFor();
      assert.equal(await stateOf(maker, lamp), "draft");

      await form.getByRole("combobox", { name: "分类", exact: true }).fill("灯具");
      await desk.getByRole("option").first().click();
      await form.getByLabel("一句话介绍").fill("北欧风台灯");
      await form.getByLabel("详细说明").fill("灯罩与灯座分件。");
      const label = form.getByRole("group", { name: "标签" }).getByRole("button").first();
      await label.click();
      await form.getByRole("radio", { name: /^改编/ }).check();
      await form.getByRole("radio", { name: /^商用授权/ }).check();
      await form.getByRole("textbox", { name: "价格" }).fill("29.9");
      await acting(desk, "已提交审核", () => submit.click());
      const { listing } = await maker.call("X101", { listingId: lamp });
      assert.equal(listing.labelIds.length, 1);
      const { price, license, origin, categoryId } = listing;
      assert.deepEqual(
        { price, license, origin, categoryId },
        { price: 2990, license: "commercial", origin: "adapted", categoryId: "c1303" },
      );
      await waiting(maker, lamp);
      await desk.getByText("审核中，内容不能修改。如需修改，请先撤回。").waitFor();
    },
    desk,
  );

  await scene.step(
    "an operator claims it, has its pictures and twins listed, asks for changes",
    async () => {
      await signIn(office, "anna", await enrol(office, await operatorLink(site, "anna")));
      await open(LAMP);
      await acting(office, "已领取，30 分钟内由您审核", () =>
        office.getByRole("button", { name: "领取", exact: true }).click(),
      );
      for (const title of ["展示图", "转台"])
        await office
          .getByRole("link", { name: `查看原图：${title}` })
          .first()
          .waitFor();
      await office.getByRole("heading", { name: "相似的模型" }).waitFor();
      await decide("要求修改", "要求修改", REASON);
    },
    office,
  );

  await scene.step(
    "its maker reads why, mends it, hands it in again; approved, it is listed",
    async () => {
      await go("/toBeReleased");
      await row(LAMP).getByText("需要修改", { exact: true }).waitFor();
      await row(LAMP).getByText(REASON).waitFor();
      await desk.getByRole("link", { name: LAMP, exact: true }).click();
      await desk.getByText(`需要修改：${REASON}。修改后可以重新提交。`).waitFor();
      await form.getByLabel("一句话介绍").fill("胡桃木灯座，布面灯罩");
      await acting(desk, "已提交审核", () => form.getByRole("button", { name: "保存并提交审核" }).click());
      await waiting(maker, lamp);
      await open(LAMP);
      await decide("通过", "通过审核", "旅程：资料齐全");
      await go("/toBeReleased?isRelase=true");
      await row(LAMP).getByText("已上架").waitFor();
      assert.equal(await stateOf(maker, lamp), "listed");
    },
    desk,
  );

  await scene.step(
    "terms of several are set in the table; handed in together, each tells what it lacks",
    async () => {
      const vase = await released(maker, await sample(folder, "vase", "花瓶.glb", 1500), "青花瓶");
      const gears = await released(maker, await sample(folder, "gears", "齿轮.stl", 1500), "齿轮");
      await maker.call("X102", { listingId: vase.listingId, intro: "素胎青花" });
      await go("/toBeReleased");
      await row("齿轮").waitFor();
      await desk.getByRole("button", { name: "全选本页" }).click();
      await desk.getByText("已选 2 个").waitFor();
      await desk.getByRole("button", { name: "发布设置" }).click();
      const drawer = desk.getByRole("dialog", { name: "发布设置" });
      await drawer.getByRole("combobox", { name: /^分类/ }).fill("器皿");
      await desk.getByRole("option").first().click();
      await drawer.getByLabel("价格").fill("0.01");
      await drawer.getByRole("button", { name: "保存" }).click();
      await drawer.getByText("价格为 0（免费）或 1 至 99,999.99 元，最多两位小数").waitFor();
      await drawer.getByLabel("价格").fill("9");
      await acting(desk, "2 个模型保存", () => drawer.getByRole("button", { name: "保存" }).click());
      await drawer.waitFor({ state: "hidden" });
      for (const name of ["青花瓶", "齿轮"])
        await row(name).getByRole("cell", { name: "¥9.00", exact: true }).waitFor();
      await desk.getByRole("button", { name: "提交审核", exact: true }).click();
      const lacking = desk.getByRole("dialog", { name: "1 个模型没有完成" });
      await lacking.getByRole("link", { name: "齿轮" }).waitFor();
      await lacking.getByRole("button", { name: "知道了" }).click();
      assert.notEqual(await stateOf(maker, vase.listingId), "draft");
      assert.equal(await stateOf(maker, gears.listingId), "draft");

      await desk.getByRole("link", { name: "齿轮", exact: true }).click();
      await desk.getByRole("button", { name: "删除草稿" }).click();
      const asked = desk.getByRole("dialog", { name: "删除这个草稿？" });
      await acting(desk, "草稿已删除", () => asked.getByRole("button", { name: "删除" }).click());
    },
    desk,
  );

  await scene.step(
    "taken off the mall and shown again; its price changes at once",
    async () => {
      await go(`/details?listingId=${lamp}`);
      await desk.getByRole("button", { name: "下架", exact: true }).click();
      const asked = desk.getByRole("dialog", { name: "下架这个模型？" });
      await asked.getByRole("button", { name: "下架" }).click();
      await desk.getByRole("heading", { level: 1 }).getByText("已下架").waitFor();
      await acting(desk, "已重新上架", () => desk.getByRole("button", { name: "重新上架" }).click());
      await desk.getByRole("heading", { level: 1 }).getByText("已上架").waitFor();
      await form.getByRole("textbox", { name: "价格" }).fill("19");
      await acting(desk, "已保存", () => form.getByRole("button", { name: "保存", exact: true }).click());
      const { listing, state } = await maker.call("X101", { listingId: lamp });
      assert.deepEqual([listing.price, state], [1900, "listed"]);
    },
    desk,
  );

  await scene.step(
    "changes of what is listed are taken back from review, and given up",
    async () => {
      const intro = form.getByLabel("一句话介绍");
      await intro.fill("改到一半的介绍");
      await acting(desk, "已提交审核", () => form.getByRole("button", { name: "保存并提交审核" }).click());
      await acting(desk, "已撤回审核", () =>
        desk.getByRole("button", { name: "撤回审核", exact: true }).click(),
      );
      await intro.fill("又改了一遍");
      await desk.getByRole("button", { name: "放弃修改", exact: true }).click();
      const asked = desk.getByRole("dialog", { name: "放弃修改？" });
      await acting(desk, "已放弃修改", () => asked.getByRole("button", { name: "放弃修改" }).click());
      await until("what was approved", async () => (await intro.inputValue()) === "胡桃木灯座，布面灯罩");
      const { versionState, versions } = await maker.call("X101", { listingId: lamp });
      assert.deepEqual([versionState, versions[0].state], ["ready", "discarded"]);
    },
    desk,
  );

  await scene.step(
    "a new version with its notes is looked at while the one before is sold",
    async () => {
      const next = await putModel(maker, await sample(folder, "lamp", "台灯二.glb", 5000));
      await maker.call("R04", { fileId: next, modelName: "台灯二", modelType: 1, fileSource: "web" });
      await desk.reload();
      await desk.getByRole("button", { name: "发布新版本" }).click();
      const dialog = desk.getByRole("dialog", { name: "发布新版本" });
      await dialog.getByRole("button", { name: "提交审核" }).click();
      await dialog.getByText("请填写版本说明").waitFor();
      await dialog.getByRole("combobox", { name: "源文件" }).click();
      await desk.getByRole("option", { name: /^台灯二/ }).click();
      await dialog.getByLabel("版本说明").fill("灯罩更细");
      await acting(desk, "新版本已提交审核", () => dialog.getByRole("button", { name: "提交审核" }).click());
      const version = await until("the pictures of the version", async () => {
        const { state, versions } = await maker.call("X101", { listingId: lamp });
        assert.equal(state, "listed");
        return versions.find(({ state: now }) => now === "submitted");
      });
      assert.deepEqual([version.fileId, version.notes], [next, "灯罩更细"]);
      await open(LAMP);
      await decide("通过", "通过审核", "旅程：可以");
      await desk.reload();
      await desk.getByText("第 3 版　已通过").waitFor();
      await sound(desk, "a listed model with two versions");
      assert.deepEqual(desk.problems, []);
      await rm(folder, { recursive: true });
    },
    desk,
  );
});
