/** Buying: the gift, a membership by cloud coin with a coupon, its effects; an abandoned recharge. */
import assert from "node:assert/strict";
import { Client } from "./lib/client.mjs";
import { journey } from "./lib/journey.mjs";
import { until } from "./lib/listings.mjs";
import { acting, answered, authDialog, cookie, openAccount, passSlider } from "./lib/person.mjs";
import { findings, NARROW, tooWide, WIDE } from "./lib/sound.mjs";

/** The first demo account: it holds 3000 yuan in cloud coins. */
const BUYER = { phone: "13800000001", password: "xuanlan1" };
const COINS = 300_000;
const BASIC = 29_900;
const COUPON = 3_000;

const yuan = (cents) => (cents / 100).toLocaleString("zh-CN", { minimumFractionDigits: 2 });

/** Names missing from an answer. */
const without = (names, answer) => names.filter((name) => !(name in answer));

/** No page is wider than its window, even on a phone. */
async function fits(page) {
  for (const size of [WIDE, NARROW]) {
    await page.setViewportSize(size);
    assert.equal(await tooWide(page), 0, `${page.url()} is too wide at ${size.width}`);
  }
  await page.setViewportSize(WIDE);
}

// covers: P16 P22 P30 P08 P09 P10 P11 P15 P17 P25 P26 P28 P29 P48 O01 O02 X09 X371 Y03
journey("purchase", { demo: true }, async (scene) => {
  const { site } = scene;
  const context = await scene.context();
  const page = await scene.page(context);
  const dialog = (name) => page.getByRole("dialog", { name });
  const button = (name) => page.getByRole("button", { name, exact: true });

  await scene.step("a visitor who buys signs in first and comes back to the grade (MB017)", async () => {
    await page.goto(`${site.url}/pricePage`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await button("开通高级会员").click();
    const login = authDialog(page);
    await login.getByRole("tab", { name: "密码登录" }).click();
    await login.getByLabel("手机号或邮箱").fill(BUYER.phone);
    await login.getByLabel("密码", { exact: true }).fill(BUYER.password);
    await acting(page, "登录成功", () =>
      passSlider(page, site, () => login.getByRole("button", { name: "登录", exact: true }).click()),
    );
    const purchase = dialog("开通会员");
    await purchase.getByText("年卡", { exact: true }).waitFor();
    assert.equal(await purchase.getByRole("tab", { name: "高级会员" }).getAttribute("aria-selected"), "true");
    assert.equal(new URL(page.url()).pathname, "/pricePage");
    assert.equal(new URL(page.url()).search, "");
    await purchase.getByRole("button", { name: "关闭" }).click();
    await purchase.waitFor({ state: "hidden" });
  });

  await scene.step("the gift of three coupons (CP001 to CP004)", async () => {
    await page
      .getByRole("complementary", { name: "会员优惠券" })
      .getByRole("button", { name: "领取" })
      .click();
    const gift = dialog(/送您三张会员优惠券/);
    await gift.getByRole("button", { name: "全部领取" }).waitFor();
    const { datas } = await answered(page, "/getCombinationCoupons", () => button("全部领取").click());
    assert.deepEqual(
      datas.map((coupon) => [coupon.faceValue, coupon.minAmount]),
      [
        [3000, 29900],
        [10000, 69900],
        [20000, 169900],
      ],
    );
    const days = datas.map((coupon) => (coupon.expireTime - coupon.receiveTime) / 86_400_000);
    assert.deepEqual(days, [30, 30, 30]);
    await page.getByText("领取成功", { exact: true }).waitFor();
  });

  await scene.step("my coupons hold them", async () => {
    await button("查看我的优惠券").click();
    await page.waitForURL(`${site.url}/workbench/account/myCoupon`);
    const list = page.getByRole("list", { name: "可用的优惠券" });
    await list.waitFor();
    assert.equal(await list.getByRole("listitem").count(), 3);
    assert.equal(await page.getByRole("complementary", { name: "会员优惠券" }).count(), 0);
    await fits(page);
  });

  await scene.step("the purchase dialog: grade, agreement, comparison", async () => {
    await page.goto(`${site.url}/pricePage`);
    await button("开通基础会员").click();
    const purchase = dialog("开通会员");
    await purchase.getByText("年卡", { exact: true }).waitFor();
    assert.deepEqual(await findings(page), []);
    await purchase.getByRole("button", { name: "对比会员权益" }).click();
    await dialog("对比会员权益").getByRole("table").waitFor();
    await dialog("对比会员权益").getByRole("button", { name: "关闭" }).click();
    await dialog("对比会员权益").waitFor({ state: "hidden" });
    await purchase.getByRole("button", { name: "确认支付" }).click();
    await purchase.getByText("请先阅读并同意会员服务协议", { exact: true }).waitFor();
    await purchase.getByRole("checkbox", { name: "我已阅读并同意" }).check();
  });

  await scene.step("the order waits to be paid: countdown, coupons, methods (PY002)", async () => {
    const { datas } = await answered(page, "/createMemberOrder", () => button("确认支付").click());
    assert.equal(datas.amount, BASIC);
    const pay = dialog("支付");
    const timer = pay.getByRole("timer");
    await timer.waitFor();
    const first = await timer.textContent();
    assert.match(first, /^(30:00|29:\d\d)$/);
    await page.waitForFunction(
      (shown) => document.querySelector('[role="timer"]')?.textContent !== shown,
      first,
    );
    const box = await pay.boundingBox();
    assert.equal(Math.round(box.width), 650);
    const coupons = pay.getByRole("radiogroup", { name: "优惠券" });
    assert.equal(await coupons.getByRole("radio").count(), 4);
    assert.equal(await coupons.getByRole("radio", { name: /^100元会员优惠券/ }).isDisabled(), true);
    await coupons.getByRole("radio", { name: /^30元会员优惠券/ }).check();
    assert.match(await pay.getByTestId("to-pay").textContent(), /269\.00$/);
    assert.equal(await pay.getByRole("radio", { name: "微信支付" }).isDisabled(), true);
    assert.equal(await pay.getByRole("radio", { name: "云币" }).isChecked(), true);
    assert.deepEqual(await findings(page), []);
  });

  await scene.step(
    "paid by cloud coin after a question; the header knows the grade at once (PY003, PY021, MB015, MB016)",
    async () => {
      const before = (await cookie(context, "authorization")).value;
      await button("立即支付").click();
      const confirm = dialog("确认用云币支付");
      await confirm.waitFor();
      // The dialog opens with an animation; this is its final width.
      assert.equal(await confirm.evaluate((element) => element.offsetWidth), 620);
      const paid = await answered(page, "/cloudCoinPay", () =>
        confirm.getByRole("button", { name: /^确认支付/ }).click(),
      );
      assert.equal(paid.resp_code, 60000, paid.resp_msg);
      await page.getByRole("button", { name: /^基础会员\s*\d{4}-\d\d-\d\d 到期/ }).waitFor();
      await page.getByRole("dialog", { name: "支付", exact: true }).waitFor({ state: "hidden" });
      await page.getByRole("heading", { level: 1 }).waitFor();
      const after = (await cookie(context, "authorization")).value;
      assert.notEqual(after, before, "the token was renewed");
      await openAccount(page);
      await page.getByRole("banner").getByText("基础会员", { exact: true }).first().waitFor();
      await page.getByText(yuan(COINS - BASIC + COUPON), { exact: true }).waitFor();
      await button("续费升级").waitFor();
    },
  );

  await scene.step("my orders show it, with what was saved", async () => {
    await page.goto(`${site.url}/workbench/myOrder`);
    const orders = page.getByRole("list", { name: "订单" });
    await orders.getByText("已完成").waitFor();
    await orders.getByText("¥269.00").waitFor();
    await orders.getByRole("button", { name: "基础会员（年卡）" }).click();
    const detail = dialog("订单详情");
    await detail.getByText("云币", { exact: true }).waitFor();
    await detail.getByText("-¥30.00").waitFor();
    await fits(page);
  });

  await scene.step("account details: the payment, and what a filter leaves of it", async () => {
    await page.goto(`${site.url}/workbench/account/accountRecharge`);
    const table = page.getByRole("table", { name: "账户明细" });
    await table.getByRole("row", { name: /基础会员（年卡）.*-269\.00/ }).waitFor();
    await page.getByRole("combobox", { name: "交易类型" }).click();
    await page.getByRole("option", { name: "模型购买" }).click();
    await page.getByText("没有符合条件的记录").waitFor();
    await button("清除条件").click();
    await table.waitFor();
    await fits(page);
  });

  await scene.step("a package of storage is bought by coin and stands among one's own", async () => {
    await page.goto(`${site.url}/workbench/account/mySetMeal`);
    await page.getByText("还没有购买过套餐").waitFor();
    await answered(page, "/createPackageOrder", () => button("购买100GB 存储包").click());
    const pay = dialog("支付");
    assert.match(await pay.getByTestId("to-pay").textContent(), /99\.00$/);
    await pay.getByRole("radio", { name: "云币" }).check();
    await button("立即支付").click();
    const paid = await answered(page, "/cloudCoinPay", () =>
      dialog("确认用云币支付")
        .getByRole("button", { name: /^确认支付/ })
        .click(),
    );
    assert.equal(paid.resp_code, 60000, paid.resp_msg);
    await page.getByRole("dialog", { name: "支付", exact: true }).waitFor({ state: "hidden" });
    await page.goto(`${site.url}/workbench/account/mySetMeal`);
    const own = page.getByRole("table", { name: "已购套餐" });
    await own.getByRole("row", { name: /100GB 存储包.*100 GB.*生效中/ }).waitFor();
    assert.deepEqual(await findings(page), []);
    await fits(page);
    // 500 GB of the plan, and the package's.
    await until("the workbench's storage with the package", async () => {
      await answered(page, "/storage", () => page.goto(`${site.url}/workbench`));
      const limit = page.getByRole("region", { name: "用量" }).getByText(/^\/ \d/);
      return (await limit.textContent()) === "/ 600 GB";
    });
  });

  await scene.step("a recharge is ordered, seen running, and cancelled", async () => {
    await page.goto(`${site.url}/workbench/account/accountRecharge`);
    await button("¥200").click();
    const { datas } = await answered(page, "/createRechargeOrder", () => button("充值").click());
    const pay = dialog("支付");
    await pay.getByRole("timer").waitFor();
    assert.equal(await pay.getByRole("radio", { name: "云币" }).count(), 0, "coins do not buy coins");
    await pay.getByRole("button", { name: "关闭" }).click();
    await page.goto(`${site.url}/workbench/myOrder?tab=unpaid`);
    const orders = page.getByRole("list", { name: "订单" });
    await orders.getByText(datas.orderNo).waitFor();
    assert.match(await orders.getByRole("timer").textContent(), /^(30:00|2\d:\d\d)$/);
    await orders.getByRole("button", { name: "取消", exact: true }).click();
    await acting(page, "订单已取消", () =>
      dialog("取消这个订单？").getByRole("button", { name: "取消订单" }).click(),
    );
    await page.getByText("没有待付款的订单").waitFor();
    await page.getByRole("tab", { name: /^已取消/ }).click();
    await orders.getByText(datas.orderNo).waitFor();
  });

  await scene.step(
    "a coupon once used is used, and a lower price is not to be had (CP016, OR001, OR005, OR006)",
    async () => {
      await page.goto(`${site.url}/workbench/account/myCoupon?tab=used`);
      await page.getByText("30元会员优惠券").waitFor();
      const buyer = new Client(site);
      buyer.token = decodeURIComponent((await cookie(context, "authorization")).value);
      buyer.loginId = decodeURIComponent((await cookie(context, "loginId")).value);
      const [used] = await buyer.call("P25", { pageNo: 1, pageSize: 10, status: 1 });
      const fields = "couponId couponSysType type faceValue discountValue name label".split(" ");
      assert.deepEqual(without(fields, used), []);
      assert.deepEqual([used.couponSysType, used.type, used.faceValue], [1, 1, COUPON]);
      const order = await buyer.call("P09", { memberGradeId: "1", isMonthly: 0 });
      const info = await buyer.call("O01", { orderId: order.orderId });
      const figures =
        "uuid orderId orderNo createTime functionModule orderType description couponList canUseCoupon couponId coupon cloudCoin incomeBalance";
      assert.deepEqual(without(figures.split(" "), info), []);
      assert.equal(info.canUseCoupon, true);
      assert.equal(Number.isInteger(info.cloudCoin) && info.cloudCoin > 0, true, "cents");
      const answer = await buyer.answer("Y03", {
        orderId: order.orderId,
        couponId: used.couponId,
        coupon: 3000,
      });
      assert.notEqual(answer.resp_code, 60000);
      assert.equal((await buyer.call("O02", { orderId: order.orderId })).status, 0);
    },
  );
});
