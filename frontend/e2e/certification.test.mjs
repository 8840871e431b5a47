/** Certification as a user experiences it: requested, refused with a reason, requested again, and the badge that then appears. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { askAsPerson, photograph } from "./lib/certifying.mjs";
import { Client } from "./lib/client.mjs";
import { journey } from "./lib/journey.mjs";
import { binary } from "./lib/site.mjs";

const PHONE = "13912345601";
const PASSWORD = "qingci-01";
const NAME = "张三丰";
const NUMBER = "11010519491231002X";
const REASON = "证件照片不清晰，请重新拍摄后上传";
const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 375, height: 812 };

// covers: A15 A16 X35 X36 X37 /workbench/information /workbench/information/firm /workbench/authInfo /unApprove
journey("certification", {}, async (scene) => {
  const { site } = scene;
  const operator = async (...words) => {
    const run = promisify(execFile);
    const environment = { ...process.env, XUANLAN__DATA__DIR: site.data };
    const { stdout } = await run(binary(), ["auth", "certification", ...words], { env: environment });
    return stdout.trim();
  };
  const waiting = async () => (await operator("list")).split("\n").map((line) => line.split("\t"));
  const person = await new Client(site).register(PHONE, PASSWORD);
  const context = await scene.context();
  await context.addCookies(person.cookies());
  const page = await scene.page(context);
  const main = page.getByRole("main");
  const noSidewaysScroll = async () => {
    for (const size of [NARROW, WIDE]) {
      await page.setViewportSize(size);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(over <= 0, `${page.url()} is ${over} px too wide at ${size.width}`);
    }
  };
  const fill = () => askAsPerson(page, { name: NAME, number: NUMBER });

  await scene.step("the chooser, from the personal centre", async () => {
    await page.goto(`${site.url}/workbench/account`);
    await main.getByRole("link", { name: "立即认证" }).click();
    await page.waitForURL("**/workbench/information?typeShow=1");
    await main.getByRole("link", { name: "企业认证" }).waitFor();
    await noSidewaysScroll();
  });

  await scene.step("the form says what is missing, and takes what is right", async () => {
    await main.getByRole("link", { name: "个人认证" }).click();
    await main.getByRole("button", { name: "提交审核" }).click();
    for (const message of ["请输入真实姓名", "请输入身份证号", "请上传身份证人像面", "请上传身份证国徽面"])
      await main.getByText(message, { exact: true }).waitFor();
    await main.getByLabel("身份证号").fill("110105194912310021");
    await main.getByText("请输入正确的身份证号").waitFor();
    await noSidewaysScroll();
    await fill();
    await main.getByText("1****************X").waitFor();
    assert.equal((await page.content()).includes(NUMBER), false, "the number is shown no more");
  });

  await scene.step("refused: the page tells the reason by itself (CE004)", async () => {
    const [[id, loginId, kind, state, name, number]] = await waiting();
    assert.deepEqual(
      [loginId, kind, state, name, number],
      [person.loginId, "personal", "submitted", "张**", "1****************X"],
    );
    await operator("decide", id, "--reject", REASON, "--by", "reviewer");
    await main.getByText(REASON).waitFor();
    await noSidewaysScroll();
    await page.goto(`${site.url}/unApprove`);
    await main.getByText(REASON).waitFor();
    const info = await person.call("P01");
    assert.deepEqual([info.checkStatus, info.cause], [2, REASON]);
  });

  await scene.step(
    "another try; the badge comes by push (CE003, CE007)",
    async () => {
      await main.getByRole("link", { name: "重新提交" }).click();
      await fill();
      const other = await scene.page(context);
      await other.goto(`${site.url}/siteMap`);
      await other.getByRole("button", { name: "我的账号" }).waitFor();
      const [[id]] = await waiting();
      const stated = await operator("show", id, "--by", "reviewer");
      assert.equal(stated, `realName\t${NAME}\nidCard\t${NUMBER}`);
      await operator("decide", id, "--approve", "--by", "reviewer");
      await main.getByText("已生效").waitFor();
      await other.getByRole("banner").getByRole("img", { name: "个人认证" }).waitFor();
      await other.getByRole("button", { name: "我的账号" }).click();
      await other.getByText("已个人认证").waitFor();
      await other.close();
      for (const call of ["P01", "P02"]) {
        const { checkStatus, companyDetailInfo, personalDetailInfo } = await person.call(call);
        assert.deepEqual(
          [checkStatus, companyDetailInfo, personalDetailInfo?.realName],
          [1, null, "张**"],
          call,
        );
      }
    },
    page,
  );

  await scene.step("on to the enterprise: taken back and asked for again (CE002)", async () => {
    await page.goto(`${site.url}/workbench/information/firm`);
    const license = main.getByLabel("营业执照", { exact: true }).locator("input[type=file]");
    await main.getByLabel("企业名称").fill("福州玄览测试有限公司");
    await main.getByLabel("统一社会信用代码").fill("91350100M000100Y43");
    await main.getByLabel("法定代表人姓名").fill("李四");
    await main.getByLabel("联系电话").fill("0591-87654321");
    await license.setInputFiles(await photograph(page, "营业执照", "image/png"));
    await main.getByRole("checkbox").check();
    await main.getByRole("img", { name: /预览/ }).waitFor();
    await noSidewaysScroll();
    await page.waitForFunction(() => document.querySelector("main [role=progressbar]") === null);
    await main.getByRole("button", { name: "提交审核" }).click();
    await main.getByText(/审核中/).waitFor();
    // The certified data stays while the next request is under review.
    assert.equal((await person.call("P01")).checkStatus, 1);
    const [[id]] = await waiting();
    await operator("decide", id, "--approve", "--by", "reviewer");
    await main.getByRole("region", { name: "企业认证" }).getByText("已生效").waitFor();
    await page.goto(`${site.url}/workbench/account`);
    await page.getByRole("banner").getByRole("img", { name: "企业认证" }).waitFor();
    await main.getByText("福州玄览测试有限公司").waitFor();
    const info = await person.call("P01");
    assert.equal(info.companyDetailInfo.companyName, "福州玄览测试有限公司");
  });

  await scene.step("a developer's certification, taken back (CE011, HD019)", async () => {
    await page.goto(`${site.url}/workbench/authInfo?nowType=MAKE_MODEL`);
    await main.getByLabel("开发经验").fill("十年三维可视化插件开发经验。");
    await noSidewaysScroll();
    await main.getByRole("button", { name: "提交审核" }).click();
    await main.getByRole("button", { name: "撤回申请" }).click();
    await page.getByRole("button", { name: "撤回", exact: true }).click();
    await main.getByRole("button", { name: "提交审核" }).waitFor();
    await page.goto(`${site.url}/workbench/authInfo`);
    await main.getByRole("heading", { name: "个人认证须知" }).waitFor();
    await noSidewaysScroll();
    assert.deepEqual(page.problems, []);
  });

  await scene.step("the number stands in no log", async () => {
    assert.equal(site.log().includes(NUMBER) || site.log().includes(NAME), false);
  });
});
