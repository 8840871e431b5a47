/** Payment by channel: WeChat by its code and the sandbox's phone, Alipay by its cashier and back. */
import assert from "node:assert/strict";
import { Client } from "./lib/client.mjs";
import { journey } from "./lib/journey.mjs";
import { payByWechat } from "./lib/payment.mjs";
import { answered } from "./lib/person.mjs";

// covers: P15 P17 O02 Y01 Y02
journey("channels", {}, async (scene) => {
  const { site } = scene;
  const person = await new Client(site).register("13911110009", "zhifu-0009");
  for (const location of [0, 1]) await person.call("P07", { location });
  const context = await scene.context();
  await context.addCookies(person.cookies());
  const page = await scene.page(context);
  const dialog = (name) => page.getByRole("dialog", { name });
  const button = (name) => page.getByRole("button", { name, exact: true });

  await scene.step("WeChat: the code, the phone of the sandbox, and the coins are there", async () => {
    await page.goto(`${site.url}/workbench/account/accountRecharge`);
    await button("¥200").click();
    await answered(page, "/createRechargeOrder", () => button("充值").click());
    await payByWechat(page);
    await page.waitForURL(`${site.url}/workbench/account/accountRecharge?isPay=1`);
    await page.getByText("充值成功，云币已到账").waitFor();
    // AC002
    await page.getByTestId("coins").filter({ hasText: "200.00" }).waitFor();
    const row = page.getByRole("table", { name: "账户明细" }).getByRole("row", { name: /\+200\.00/ });
    await row.first().waitFor();
  });

  await scene.step("Alipay: the cashier in a window of its own, and back to the order's page", async () => {
    await page.goto(`${site.url}/siteMap?buy=basic`);
    const purchase = dialog("开通会员");
    await purchase.getByRole("checkbox", { name: "我已阅读并同意" }).check();
    await answered(page, "/createMemberOrder", () => button("确认支付").click());
    await dialog("支付").getByRole("radio", { name: "支付宝" }).check();
    const [cashier] = await Promise.all([context.waitForEvent("page"), button("立即支付").click()]);
    await cashier.getByRole("button", { name: "确认付款" }).click();
    await cashier.waitForURL((url) => url.origin === site.url && url.pathname === "/common/pay");
    // The success message is shown for three seconds first.
    await cashier.waitForURL(`${site.url}/`);
    // The waiting page notices it by itself.
    await page.getByRole("button", { name: /^基础会员.*到期/ }).waitFor();
    await cashier.close();
  });

  await scene.step("a cashier that is left without paying leaves the order to be paid", async () => {
    await page.goto(`${site.url}/siteMap?buy=advanced`);
    await dialog("开通会员").getByRole("checkbox", { name: "我已阅读并同意" }).check();
    const { datas } = await answered(page, "/createMemberOrder", () => button("确认支付").click());
    await dialog("支付").getByRole("radio", { name: "支付宝" }).check();
    const [cashier] = await Promise.all([context.waitForEvent("page"), button("立即支付").click()]);
    await cashier.getByRole("button", { name: "放弃" }).click();
    // Wait for the page to load: one closed while it navigates may never report that it has closed.
    await cashier.getByText("已放弃付款，没有扣款").waitFor();
    await cashier.close();
    await button("我已完成付款").click();
    await page.getByText("还没有收到付款结果，收到后本页会自动更新。").waitFor();
    // The previous purchase renewed the token.
    const { value } = (await context.cookies()).find(({ name }) => name === "authorization");
    person.token = decodeURIComponent(value);
    assert.equal((await person.call("O02", { orderId: datas.orderId })).status, 0);
    await button("选择其他支付方式").click();
    await dialog("支付").getByRole("radio", { name: "微信支付" }).check();
    assert.equal(await button("立即支付").isEnabled(), true);
  });
});
