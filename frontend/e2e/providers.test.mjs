/** WeChat and QQ as a user experiences them, played by the sandbox: sign-in, a phone to bind, linking, unlinking, refusals. */
import assert from "node:assert/strict";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Client, smsCode, smsCount } from "./lib/client.mjs";
import { journey } from "./lib/journey.mjs";
import { acting, answered, cookie, passSlider, toast } from "./lib/person.mjs";
import { findings } from "./lib/sound.mjs";

const EXISTING = "13912345670";
const PHONE = "13912345671";
const NAMES = { wechat: "微信", qq: "QQ" };
const UNFINISHED = "第三方登录没有完成，请重新发起，或用短信、密码登录";

/** On the provider's page: enters a nickname, and agrees or not; the browser comes back. */
async function decide(page, provider, nickname, act = "允许") {
  await page.getByRole("heading", { name: `${NAMES[provider]}登录` }).waitFor();
  await page.getByLabel("昵称").fill(nickname);
  await page.getByRole("button", { name: act, exact: true }).click();
  await page.getByRole("link", { name: "立即返回" }).click();
}

/** From the header to the provider's page. */
async function leaveFor(page, site, provider) {
  await page.goto(`${site.url}/siteMap`);
  await page.getByRole("button", { name: "登录", exact: true }).click();
  await page.getByRole("button", { name: `${NAMES[provider]}登录` }).click();
}

// TP002 TP003 TP004 TP005 TP007
// covers: A07 A10 P04 P05 X25 X26 X27
journey("providers", {}, async (scene) => {
  const { site } = scene;
  await new Client(site).register(EXISTING, "qingci-01");
  const context = await scene.context();
  const page = await scene.page(context);
  const account = page.getByRole("button", { name: "我的账号" });
  const loginId = async (of) => decodeURIComponent((await cookie(of, "loginId"))?.value ?? "");
  const auth = (statement, ...values) => {
    const database = new DatabaseSync(path.join(site.data, "auth.db"));
    try {
      const { changes } = database.prepare(statement).run(...values);
      assert.ok(changes > 0, statement);
    } finally {
      database.close();
    }
  };
  let owner;

  await scene.step("a new person at WeChat is asked for a phone, which must be new here too", async () => {
    await leaveFor(page, site, "wechat");
    await decide(page, "wechat", "小明<b>");
    await page.getByRole("heading", { name: "绑定手机号" }).waitFor();
    await page.getByText("小明<b>", { exact: true }).waitFor();
    assert.doesNotMatch(page.url(), /code=|state=/, "what signs in stays in no address");
    assert.equal(await cookie(context, "authorization"), undefined, "a ticket is no session");
    assert.deepEqual(await findings(page), []);
    const phone = page.getByLabel("手机号", { exact: true });
    const send = page.getByRole("button", { name: "获取验证码" });
    const before = await smsCount(site, EXISTING);
    await phone.fill(EXISTING);
    await send.click();
    await page.getByText("手机号码已存在", { exact: true }).waitFor();
    assert.equal(await smsCount(site, EXISTING), before, "and gets no code");

    await phone.fill(PHONE);
    await Promise.all([toast(page, "发送成功"), passSlider(page, site, () => send.click())]);
    await page.getByLabel("验证码", { exact: true }).fill(await smsCode(site, PHONE, 0));
    const bind = page.getByRole("button", { name: "绑定并登录" });
    await bind.click();
    await page.getByText("请先阅读并同意会员服务协议与平台保密协议", { exact: true }).waitFor();
    await page.getByRole("checkbox").check();
    await acting(page, "登录成功", () => bind.click());
    // The steps of every registration, which a reload does not lose.
    const interest = page.getByRole("heading", { name: "您关注什么" });
    await interest.waitFor();
    await page.reload();
    await interest.waitFor();
    await page.getByRole("button", { name: "跳过", exact: true }).click();
    await page.getByRole("heading", { name: "填写推广码" }).waitFor();
    await page.getByRole("button", { name: "跳过", exact: true }).click();
    await account.waitFor();
    owner = await loginId(context);
    assert.ok(owner);
  });

  await scene.step(
    "the new account appears as there: name and picture, which is ours from now on",
    async () => {
      const name = page.getByRole("textbox", { name: "昵称" });
      // The profile is fetched asynchronously; the sign-in does not wait for it.
      for (let tries = 0; tries < 20; tries += 1) {
        await page.goto(`${site.url}/workbench/account/accountManagement`);
        await name.waitFor();
        await page.waitForLoadState("networkidle");
        if (await name.inputValue()) break;
      }
      assert.equal(await name.inputValue(), "小明<b>");
      const pictures = await page
        .locator("img")
        .evaluateAll((all) => all.filter((one) => one.src.includes("/p/") && one.naturalWidth).length);
      assert.ok(pictures > 0, "the picture is ours, and drawn");
    },
  );

  const other = await scene.context();
  const second = await scene.page(other);
  await scene.step(
    "who refuses at the provider comes back to a sentence and no session",
    async () => {
      await leaveFor(second, site, "wechat");
      await Promise.all([toast(second, "已取消微信登录"), decide(second, "wechat", "小明<b>", "拒绝")]);
      await second.getByRole("heading", { name: "登录玄览云" }).waitFor();
      assert.equal(await cookie(other, "authorization"), undefined);
    },
    second,
  );

  await scene.step(
    "an answer of the provider serves the browser that asked, and no other",
    async () => {
      await leaveFor(second, site, "wechat");
      await second.getByLabel("昵称").fill("小明<b>");
      const asked = Object.fromEntries(
        await second
          .locator("form input[type=hidden]")
          .evaluateAll((all) => all.map((i) => [i.name, i.value])),
      );
      const reply = await fetch(`${site.sandbox}/api/social/agree`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ ...asked, name: "小明<b>" }),
      });
      const { location } = await reply.json();
      const stranger = await scene.context();
      const theirs = await scene.page(stranger);
      await Promise.all([toast(theirs, UNFINISHED), theirs.goto(location)]);
      await theirs.getByRole("heading", { name: "登录玄览云" }).waitFor();
      assert.equal(await cookie(stranger, "authorization"), undefined);
      await stranger.close();

      // The requesting account is known by now: no phone is required.
      await Promise.all([toast(second, "登录成功"), second.goto(location)]);
      await second.getByRole("button", { name: "我的账号" }).waitFor();
      assert.equal(await loginId(other), owner);
    },
    second,
  );

  await scene.step(
    "QQ is linked after a fresh proof, which ends the other sessions",
    async () => {
      // Ten minutes later.
      auth("UPDATE session SET confirmed_until = 0 WHERE login_id = ?", owner);
      // An open page would be told by its queue, and say nothing on a public one.
      const where = second.url();
      await second.goto("about:blank");
      await page.goto(`${site.url}/workbench/account/accountManagement`);
      await page.getByRole("button", { name: "绑定QQ" }).click();
      await decide(page, "qq", "大明");
      const proof = page.getByRole("dialog", { name: "安全验证" });
      const before = await smsCount(site, PHONE);
      await acting(page, "发送成功", () => proof.getByRole("button", { name: "获取验证码" }).click());
      await proof.getByRole("textbox").fill(await smsCode(site, PHONE, before));
      await acting(page, "绑定成功", () => proof.getByRole("button", { name: "确认" }).click());
      await page.waitForURL("**/workbench/account/accountManagement");
      await page.getByText(/^大明，.* 绑定$/).waitFor();
      await Promise.all([toast(second, "请登录"), second.goto(where)]);
      assert.equal(await cookie(other, "authorization"), undefined);
    },
    page,
  );

  await scene.step(
    "QQ signs the same person in",
    async () => {
      await leaveFor(second, site, "qq");
      await Promise.all([toast(second, "登录成功"), decide(second, "qq", "大明")]);
      await second.getByRole("button", { name: "我的账号" }).waitFor();
      assert.equal(await loginId(other), owner);
    },
    second,
  );

  const unlink = async (name) => {
    await page.getByRole("button", { name: `解绑${name}` }).click();
    const sure = page.getByRole("dialog", { name: `解除${name}绑定` });
    return answered(page, "/removeThirdPartyAccountById", () =>
      sure.getByRole("button", { name: "解除绑定" }).click(),
    );
  };
  await scene.step(
    "unlinked, QQ signs in no more; the last way in stays",
    async () => {
      await page.reload();
      await Promise.all([toast(page, "已解除绑定"), unlink("QQ")]);
      await page.getByRole("button", { name: "绑定QQ" }).waitFor();
      const third = await scene.page(await scene.context());
      await leaveFor(third, site, "qq");
      await decide(third, "qq", "大明");
      await third.getByRole("heading", { name: "绑定手机号" }).waitFor();
      await third.context().close();

      // An account from before phones were required.
      auth("UPDATE account SET phone = '' WHERE id = ?", owner);
      const refusal = "这是唯一的登录方式，请先绑定手机号";
      const [, answer] = await Promise.all([toast(page, refusal), unlink("微信")]);
      assert.equal(answer.resp_msg, refusal);
      await page.getByText(/^小明<b>，.* 绑定$/).waitFor();
      assert.deepEqual(page.problems, []);
    },
    page,
  );
});
