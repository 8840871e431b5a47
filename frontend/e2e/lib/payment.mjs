/** Payment through the providers' stand-in: the sandbox's phone. */
import assert from "node:assert/strict";
import { answered } from "./person.mjs";

/** Pays by WeChat the order whose payment is open. The page reacts by itself. */
export async function payByWechat(page) {
  const pay = page.getByRole("dialog", { name: "支付", exact: true });
  await pay.getByRole("radio", { name: "微信支付" }).check();
  const { datas } = await answered(page, "/weixinpay", () =>
    page.getByRole("button", { name: "立即支付", exact: true }).click(),
  );
  assert.match(datas.code_url, /^weixin:\/\/wxpay\/bizpayurl\?pr=/);
  const code = page.getByRole("dialog", { name: "微信扫码支付" });
  await code.getByRole("img", { name: "请用微信扫一扫二维码" }).waitFor();
  const [phone] = await Promise.all([
    page.context().waitForEvent("page"),
    code.getByRole("link", { name: "模拟手机付款" }).click(),
  ]);
  await phone.getByRole("button", { name: "确认付款" }).click();
  await phone.getByText("付款成功").waitFor();
  await phone.close();
}
