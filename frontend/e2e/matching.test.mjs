/**
 * A need from its draft to the ratings of both sides: written with a contact in disguise, which is refused; approved by an
 * operator, offered to by a certified provider, chosen, ended and rated. A stranger never sees a contact.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { askAsPerson } from "./lib/certifying.mjs";
import { Client } from "./lib/client.mjs";
import { journey } from "./lib/journey.mjs";
import { enrol, operatorLink, signIn } from "./lib/operators.mjs";
import { acting } from "./lib/person.mjs";
import { binary } from "./lib/site.mjs";
import { sound } from "./lib/sound.mjs";

const TITLE = "减速机装配体轻量化";
const TEXT = "装配体一份，约 180 MB；轻量后不超过 12 MB，零件名称保留。";
const PLATFORM = "/matchingPlatform";

// covers: M01 M02 M03 X340 X341 X342 X343 X344 X345 X348 X349 X350 X351 X352 X353 X354 X357 X359
// covers: /matchingPlatform /matchingPlatform/demandPage /matchingPlatform/demandMarketPage /matchingPlatform/demandDetailsPage
// covers: /matchingPlatform/serviceMarketPage /matchingPlatform/serviceProviderPage
journey("matching", {}, async (scene) => {
  const { site } = scene;
  const open = async (person) => {
    const context = await scene.context();
    await context.addCookies(person.cookies());
    return scene.page(context);
  };
  const asker = await new Client(site).register("13911110081", "xuqiu-81");
  const maker = await new Client(site).register("13911110082", "fuwu-82");
  for (const one of [asker, maker]) for (const location of [0, 1]) await one.call("P07", { location });
  const visitor = await scene.page();
  const mine = await open(asker);
  const theirs = await open(maker);
  let demandId = "";

  await scene.step(
    "a visitor finds both doors, the examples, and what signing in is for",
    async () => {
      await visitor.goto(`${site.url}${PLATFORM}`);
      await visitor.getByRole("heading", { level: 1, name: "把模型交给做得了的人" }).waitFor();
      await visitor.getByRole("list", { name: "最新需求" }).getByRole("link").first().waitFor();
      await visitor.getByText("另有示例需求 12 个、示例服务商 8 个，不计入数字。").waitFor();
      await sound(visitor, "the platform");
      await visitor.goto(
        `${site.url}${PLATFORM}/demandMarketPage?category=${encodeURIComponent("点云处理")}`,
      );
      await visitor.getByText("1 个需求", { exact: true }).waitFor();
      await visitor.getByRole("list", { name: "需求" }).getByRole("link").first().click();
      await visitor.getByText("这个需求用来说明怎样把要求写清楚，不接受报价。").waitFor();
      await sound(visitor, "an example");
      await visitor.goto(`${site.url}${PLATFORM}/serviceMarketPage`);
      await visitor.getByText("8 个服务商", { exact: true }).waitFor();
      await sound(visitor, "the market of services");
      await visitor.goto(`${site.url}${PLATFORM}/demandPage`);
      await visitor.getByRole("main").getByRole("button", { name: "登录" }).waitFor();
      assert.deepEqual(visitor.problems, []);
    },
    visitor,
  );

  await scene.step(
    "somebody says what for and writes a need; a contact in disguise is refused",
    async () => {
      await mine.goto(`${site.url}${PLATFORM}/demandPage?edit=new`);
      await acting(mine, "身份已保存", () => mine.getByRole("button", { name: "我有需求" }).click());
      const form = mine.getByRole("form", { name: "需求" });
      await form.getByRole("combobox", { name: "类别" }).click();
      await mine.getByRole("option", { name: "模型轻量化" }).click();
      await form.getByRole("textbox", { name: "标题" }).fill(TITLE);
      await form.getByRole("textbox", { name: "需求说明" }).fill(`${TEXT}电话一三九 零零零零 一一一一`);
      await form.getByRole("textbox", { name: "预算上限（元）" }).fill("8000");
      await form.getByRole("textbox", { name: "联系方式" }).fill("13911110081");
      await form.getByRole("button", { name: "提交审核" }).click();
      await mine
        .getByText(/疑似有电话号码/)
        .first()
        .waitFor();
      await form.getByRole("textbox", { name: "需求说明" }).fill(TEXT);
      await sound(mine, "the form of a need");
      await acting(mine, "已提交审核", () => form.getByRole("button", { name: "提交审核" }).click());
      await mine.waitForURL(/demandId=/);
      demandId = new URL(mine.url()).searchParams.get("demandId");
      await mine.getByText("正在审核。通过后进入需求市场，结果会发到消息中心。").waitFor();
    },
    mine,
  );

  await scene.step(
    "an operator approves it",
    async () => {
      const operator = await scene.page();
      const app = await enrol(operator, await operatorLink(site, "anna"));
      await signIn(operator, "anna", app);
      await operator.goto(`${site.console}/console.html#/matching`);
      await operator.getByRole("link", { name: TITLE }).click();
      await operator.getByRole("button", { name: "通过", exact: true }).click();
      const dialog = operator.getByRole("dialog", { name: "通过审核" });
      await dialog.getByRole("button", { name: "内容完整，没有违规" }).click();
      await acting(operator, "已通过", () =>
        dialog.getByRole("button", { name: "通过", exact: true }).click(),
      );
      await operator.context().close();
    },
    mine,
  );

  await scene.step(
    "a provider is certified, publishes the profile and offers",
    async () => {
      await theirs.goto(`${site.url}/workbench/information?typeShow=1`);
      await theirs.getByRole("main").getByRole("link", { name: "个人认证" }).click();
      await askAsPerson(theirs, { name: "张三丰", number: "11010519491231002X" });
      const environment = { ...process.env, XUANLAN__DATA__DIR: site.data };
      const operate = async (...words) => {
        const { stdout } = await promisify(execFile)(binary(), ["auth", "certification", ...words], {
          env: environment,
        });
        return stdout.trim();
      };
      const [id] = (await operate("list")).split("\t");
      await operate("decide", id, "--approve", "--by", "reviewer");
      await theirs.goto(`${site.url}${PLATFORM}/serviceProviderPage?mine=1`);
      await acting(theirs, "身份已保存", () => theirs.getByRole("button", { name: "我提供服务" }).click());
      const form = theirs.getByRole("form", { name: "服务商资料" });
      await form.getByRole("button", { name: "模型轻量化" }).click();
      await form.getByRole("combobox", { name: "所在地区" }).click();
      await theirs.getByRole("option", { name: "华东" }).click();
      await form
        .getByRole("textbox", { name: "服务介绍" })
        .fill("做装配体轻量化，交付带前后对比链接，常规三个工作日。");
      await form.getByRole("textbox", { name: "联系方式" }).fill("微信 maker_82");
      await sound(theirs, "the form of a provider");
      await acting(theirs, "资料已发布", () => form.getByRole("button", { name: "发布资料" }).click());
      await theirs.goto(`${site.url}${PLATFORM}/demandDetailsPage?demandId=${demandId}`);
      await theirs.getByRole("button", { name: "我来报价" }).click();
      const dialog = theirs.getByRole("dialog", { name: "我来报价" });
      await dialog.getByRole("textbox", { name: "价格（元）" }).fill("6000");
      await dialog.getByRole("textbox", { name: "交付周期（天）" }).fill("5");
      await dialog.getByRole("textbox", { name: "方案" }).fill("按零件逐级减面，交付 GLB 与对比链接。");
      await acting(theirs, "报价已发出", () => dialog.getByRole("button", { name: "发出报价" }).click());
      await theirs.getByText("等待选择").waitFor();
      assert.equal((await theirs.content()).includes("13911110081"), false, "no contact before the choice");
    },
    theirs,
  );

  await scene.step(
    "chosen: both see the other's contact, strangers nothing; ended and rated by both",
    async () => {
      await mine.goto(`${site.url}${PLATFORM}/demandDetailsPage?demandId=${demandId}`);
      await mine.getByRole("button", { name: "选定这家" }).click();
      await acting(mine, "已选定", () =>
        mine.getByRole("dialog").getByRole("button", { name: "选定", exact: true }).click(),
      );
      await mine.getByText("微信 maker_82").waitFor();
      await mine
        .getByText(/款项目前由双方自行约定与支付/)
        .first()
        .waitFor();
      await sound(mine, "a need with its chosen provider");
      await visitor.goto(`${site.url}${PLATFORM}/demandDetailsPage?demandId=${demandId}`);
      await visitor.getByRole("heading", { level: 1, name: "没有看到这个需求" }).waitFor();
      await theirs.reload();
      await theirs.getByText("13911110081").waitFor();
      await theirs.getByRole("button", { name: "结束对接" }).click();
      await acting(theirs, "对接已结束，可以评价对方", () =>
        theirs.getByRole("dialog").getByRole("button", { name: "结束对接" }).click(),
      );
      await mine.reload();
      for (const page of [theirs, mine]) {
        const form = page.getByRole("form", { name: "评价对方" });
        // The radio lies under its picture, so it is set by the keyboard.
        await form.getByRole("radio", { name: "5 星" }).focus();
        await page.keyboard.press("Space");
        await acting(page, "评价已保存", () => form.getByRole("button", { name: "评价" }).click());
      }
      await mine.getByText("对方的评价").waitFor();
      assert.deepEqual(mine.problems, []);
      assert.deepEqual(theirs.problems, []);
    },
    mine,
  );
});
