/**
 * A work from its source file to its comments: created and submitted by its maker, approved by an operator, found,
 * liked, collected and commented by others, who are sent to sign in first; once withdrawn, it is gone.
 */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Client } from "./lib/client.mjs";
import { DESKTOP, journey } from "./lib/journey.mjs";
import { until } from "./lib/listings.mjs";
import { sample } from "./lib/models.mjs";
import { enrol, operatorLink, signIn } from "./lib/operators.mjs";
import { acting, formOf } from "./lib/person.mjs";
import { sound } from "./lib/sound.mjs";
import { putModel } from "./lib/store.mjs";

const NAME = "旋转木马";
const WORDS = "榫卯的细节 <b>很清楚</b>";

// covers: W01 W02 W03 W04 W05 W06 W07 W08 W09 W10 P36 X200 X201 X202 X203 X205 X206 X210 X211 X220 X224 X225
journey("works", {}, async (scene) => {
  const { site } = scene;
  const folder = await mkdtemp(path.join(tmpdir(), "xuanlan-e2e-works-"));
  const maker = await new Client(site).register("13911110061", "zuopin-61");
  await maker.call("A11", { nickname: "木匠" });
  await putModel(maker, await sample(folder, "vase", "花瓶.glb", 3000));
  for (const location of [0, 1]) await maker.call("P07", { location });
  const own = await scene.context();
  await own.addCookies(maker.cookies());
  const studio = await scene.page(own);
  let worksId = "";

  await scene.step(
    "the maker makes a work of a source file, sets it up and hands it in",
    async () => {
      await studio.goto(`${site.url}/workbench/myWorks`);
      await studio.getByRole("heading", { level: 1, name: "我的作品" }).waitFor();
      await sound(studio, "my works without any");
      await studio.getByRole("button", { name: "发布作品" }).click();
      const dialog = studio.getByRole("dialog", { name: "选择模型" });
      await acting(studio, "草稿已建好", () => dialog.getByRole("button", { name: /花瓶/ }).click());
      await studio.waitForURL(/\/workbench\/myWorks\?id=/);
      worksId = new URL(studio.url()).searchParams.get("id");
      const form = studio.getByRole("form", { name: "作品资料" });
      await form.locator('[data-shown="full"]').waitFor({ timeout: 300_000 });
      await form.getByRole("textbox", { name: /作品名称/ }).fill(NAME);
      await form.getByRole("combobox", { name: /^分类/ }).click();
      await studio.getByRole("option").nth(0).click();
      await form.getByRole("textbox", { name: "介绍" }).fill("第一行\n第二行");
      await form.getByRole("textbox", { name: "标签" }).fill("木作");
      await form.getByRole("button", { name: "添加" }).click();
      await form.getByRole("combobox", { name: "背景" }).click();
      await studio.getByRole("option", { name: "浅灰" }).click();
      await form.getByRole("button", { name: "用当前视角开始" }).click();
      await acting(studio, "已保存", () => form.getByRole("button", { name: "保存", exact: true }).click());
      await sound(studio, "a work that is set up");
      await acting(studio, "已提交审核", () =>
        form.getByRole("button", { name: "提交审核", exact: true }).click(),
      );
      const { scene: document, state } = await maker.call("X206", { worksId });
      assert.equal(state, "review");
      assert.equal(JSON.parse(document).background.color, "#eef1f4");
      assert.equal(JSON.parse(document).camera.start.position.length, 3);
      assert.deepEqual(studio.problems, []);
    },
    studio,
  );

  // A user agent with "headless" is taken for a robot, whose views do not count.
  const visitor = await scene.page(await scene.context({ userAgent: DESKTOP }));
  await scene.step(
    "until an operator approves nobody else sees it",
    async () => {
      await visitor.goto(`${site.url}/production/detail?worksId=${worksId}`);
      await visitor.getByRole("heading", { level: 1, name: "没有看到这个作品" }).waitFor();
      const operator = await scene.page();
      const app = await enrol(operator, await operatorLink(site, "anna"));
      await signIn(operator, "anna", app);
      await operator.goto(`${site.console}/console.html#/works`);
      await operator.getByRole("link", { name: NAME }).click();
      await operator.getByRole("button", { name: "通过", exact: true }).click();
      const dialog = operator.getByRole("dialog", { name: "通过审核" });
      await dialog.getByRole("button", { name: "内容完整，资料属实" }).click();
      await acting(operator, "已通过", () =>
        dialog.getByRole("button", { name: "通过", exact: true }).click(),
      );
      await operator.context().close();
    },
    visitor,
  );

  await scene.step(
    "a visitor finds it, opens it by its card, and is sent to sign in before liking (VW002, VW003, WK012, WK013)",
    async () => {
      await visitor.goto(`${site.url}/production`);
      await visitor.getByRole("list", { name: "全部作品" }).getByText(NAME).waitFor();
      await sound(visitor, "the gallery");
      await visitor.goto(`${site.url}/production/classify?keyword=${encodeURIComponent("木马")}`);
      const found = visitor.getByRole("list", { name: "作品" });
      await found.getByText("单体模型").waitFor();
      await sound(visitor, "the gallery, narrowed");
      await found.getByRole("link", { name: new RegExp(NAME) }).click();
      await visitor.getByRole("heading", { level: 1, name: NAME }).waitFor();
      assert.equal(new URL(visitor.url()).searchParams.get("worksId"), worksId);
      await visitor.locator('[data-shown="full"]').waitFor();
      await visitor.getByRole("img", { name: "用手机查看二维码" }).waitFor();
      await until("the look is counted", async () => {
        const { card } = await maker.call("W03", { worksId });
        return card.browseNumber === 1 && card.browsenumber === 1;
      });
      await sound(visitor, "one work");
      for (const name of [/^点赞/, /^收藏/]) {
        await visitor.goto(`${site.url}/production/detail?worksId=${worksId}`);
        await visitor.getByRole("complementary", { name: "作品信息" }).getByRole("button", { name }).click();
        await visitor.waitForURL((url) => url.pathname === "/login");
        assert.equal(
          new URL(visitor.url()).searchParams.get("returnURL"),
          `/production/detail?worksId=${worksId}`,
        );
      }
      assert.deepEqual(visitor.problems, []);
    },
    visitor,
  );

  await scene.step(
    "somebody likes, takes it back, collects and comments on a place of the model (WK010, WK011)",
    async () => {
      const fan = await new Client(site).register("13911110062", "kanke-62");
      await visitor.context().addCookies(fan.cookies());
      await visitor.goto(`${site.url}/production/detail?worksId=${worksId}`);
      await visitor.locator('[data-shown="full"]').waitFor();
      const about = visitor.getByRole("complementary", { name: "作品信息" });
      const operates = [];
      visitor.on("request", (request) => {
        if (/\/works\/(like|collect)$/.test(new URL(request.url()).pathname))
          operates.push(formOf(request).operate);
      });
      for (const [before, after] of [
        ["点赞", "已赞 1"],
        ["已赞 1", "点赞"],
        ["点赞", "已赞 1"],
        ["收藏", "已收藏 1"],
      ]) {
        await about.getByRole("button", { name: before, exact: true }).click();
        await about.getByRole("button", { name: after, exact: true }).waitFor();
      }
      assert.deepEqual(operates, ["LIKE", "CANCEL", "LIKE", "COLLECT"]);
      const { card } = await fan.call("W03", { worksId });
      assert.deepEqual(
        [card.islike, card.isLike, card.isCollect, card.isCollection, card.likenumber, card.likeNumber],
        [true, true, true, true, 1, 1],
      );
      await visitor.getByRole("button", { name: "在模型上标注" }).click();
      const stage = visitor.getByRole("application", { name: `三维预览：${NAME}` });
      const box = await stage.boundingBox();
      await visitor.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
      await visitor.getByRole("button", { name: "已标注一处，移除" }).waitFor();
      await visitor.getByRole("textbox", { name: "写评论" }).fill(WORDS);
      await acting(visitor, "评论已发表", () => visitor.getByRole("button", { name: "发表" }).click());
      await visitor.getByRole("list", { name: "评论" }).getByText(WORDS, { exact: true }).waitFor();
      await visitor.getByRole("button", { name: "看标注 1" }).click();
      await stage.getByRole("button", { name: /^标注 1/ }).waitFor();
      await sound(visitor, "one work with a comment in it");
      await visitor.goto(`${site.url}/workbench/myCollection?tab=works`);
      await visitor.getByRole("list", { name: "收藏的作品" }).getByText(NAME).waitFor();
      await sound(visitor, "what was collected");
      await visitor.goto(`${site.url}/workbench/myComment`);
      await visitor.getByText(WORDS, { exact: true }).waitFor();
      await sound(visitor, "what I said");
      assert.deepEqual(visitor.problems, []);
    },
    visitor,
  );

  await scene.step(
    "its maker hears of it: the flag, the message, the comments; withdrawn, it is gone (MS004, MS007)",
    async () => {
      await until("the flag", async () => (await maker.call("P36")).isreadComment === false);
      await studio.goto(`${site.url}/workbench/myComment/comment`);
      await studio.getByText(WORDS, { exact: true }).waitFor();
      await studio.getByRole("img", { name: "未读", exact: true }).waitFor();
      await studio.goto(`${site.url}/workbench/myMessage/comments`);
      await studio.getByRole("list", { name: "消息" }).getByRole("listitem").first().waitFor();
      await studio.getByRole("button", { name: "全部已读" }).click();
      await until("the flag is taken back", async () => (await maker.call("P36")).isreadComment === true);
      await studio.goto(`${site.url}/workbench/myWorks/list`);
      await sound(studio, "the list of works");
      await studio.getByRole("button", { name: `撤下 ${NAME}` }).click();
      const sure = studio.getByRole("dialog", { name: `撤下“${NAME}”` });
      await acting(studio, "已撤下", () => sure.getByRole("button", { name: "撤下" }).click());
      await visitor.goto(`${site.url}/production/detail?worksId=${worksId}`);
      await visitor.getByRole("heading", { level: 1, name: "没有看到这个作品" }).waitFor();
      await rm(folder, { recursive: true });
    },
    studio,
  );
});
