import { act, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { setConfig } from "@/api/config";
import { setReload } from "@/lib/navigation";
import { queueMessage } from "@/realtime";
import { payConfigured, paymentOpened } from "@/shop/slice";
import { answer, type HeardCall } from "@/test/server";
import { testConfig } from "@/test/setup";
import { gift, order, orderItem, shopAnswers } from "@/test/shop";
import { openSite } from "@/test/site";
import { submitForm } from "./alipayForm";
import { POLL_MS } from "./usePayment";

const reloads = vi.fn();
beforeEach(() => {
  reloads.mockReset();
  setReload(reloads);
});
afterEach(() => {
  setReload(undefined);
  vi.restoreAllMocks();
});

const formOf = (heard: HeardCall[], name: string) => heard.find((call) => call.name === name)?.form;

async function openPayment(
  options: Parameters<typeof shopAnswers>[0] = {},
  more: Parameters<typeof answer>[0] = {},
  address = "/siteMap",
) {
  const heard = answer({ ...shopAnswers(options), ...more });
  const page = openSite(address, { signedIn: true });
  act(() => {
    page.store.dispatch(paymentOpened({ orderId: options.order?.orderId ?? "o1" }));
  });
  const dialog = () => within(screen.getByRole("dialog", { name: "支付" }));
  await screen.findByTestId("to-pay");
  return { ...page, heard, dialog };
}

const pay = () => screen.getByRole("button", { name: "立即支付" });
const method = (name: string) => screen.getByRole("radio", { name });

describe("coupon and method", () => {
  test("counts down from the order's time, by mm:ss (PY001, PY008, PY009)", async () => {
    const { dialog } = await openPayment();
    expect(dialog().getByRole("timer").textContent).toMatch(/^(25:00|24:\d\d)$/);
  });

  test("no coupon at first; what does not fit is shown with its reason (CP006, CP027)", async () => {
    await openPayment();
    const coupons = within(await screen.findByRole("radiogroup", { name: "优惠券" }));
    expect(coupons.getByRole("radio", { name: /^不使用优惠券/ })).toBeChecked();
    const dear = coupons.getByRole("radio", { name: /^100元会员优惠券/ });
    expect(dear).toBeDisabled();
    expect(dear).toHaveAccessibleName(/订单满 699 元可用/);
  });

  test("without a coupon the gift is received and used in the payment of a membership", async () => {
    let received = false;
    const { user, dialog } = await openPayment(
      {},
      {
        hasBeenGotCombinationCoupons: () => ({ datas: received }),
        getCombinationCoupons: () => {
          received = true;
          return { datas: gift };
        },
        activeCouponList: () => ({ datas: received ? [gift[0]] : [] }),
        list: () => ({ datas: received ? gift : [] }),
      },
    );
    await user.click(await dialog().findByRole("button", { name: "领取并使用" }));
    await waitFor(() => expect(screen.getByTestId("to-pay")).toHaveTextContent("¥269.00"));
    expect(await screen.findByRole("radio", { name: /^30元会员优惠券/ })).toBeChecked();
  });

  test("a coupon of type 1 leaves cloud coin only; without it WeChat is chosen (CP017, CP022, CP024, AM039, AM040)", async () => {
    const { user } = await openPayment();
    const coupons = within(await screen.findByRole("radiogroup", { name: "优惠券" }));
    expect(method("微信支付")).toBeChecked();
    await user.click(coupons.getByRole("radio", { name: /^30元会员优惠券/ }));
    expect(screen.getByTestId("to-pay")).toHaveTextContent("¥269.00");
    expect(method("云币")).toBeChecked();
    expect(method("微信支付")).toBeDisabled();
    expect(method("支付宝")).toHaveAccessibleDescription("使用该优惠券的订单请用云币支付");
    await user.click(coupons.getByRole("radio", { name: /^不使用优惠券/ }));
    expect(method("微信支付")).toBeChecked();
    expect(method("支付宝")).toBeEnabled();
    expect(screen.getByTestId("to-pay")).toHaveTextContent("¥299.00");
  });

  test("what leaves nothing to pay goes by cloud coin, whatever took it off (CP023)", async () => {
    await openPayment({ order: order({ amount: 0, payAble: 0 }) });
    expect(screen.getByTestId("to-pay")).toHaveTextContent("¥0.00");
    expect(method("云币")).toBeChecked();
    expect(method("微信支付")).toBeDisabled();
    expect(method("支付宝")).toBeDisabled();
  });

  test("paying by income asks first (PY006)", async () => {
    const { user, heard } = await openPayment(
      { order: order({ incomeBalance: 50_000 }) },
      { queryInfo: { datas: { uploaderType: 2 } } },
    );
    await user.click(await screen.findByRole("radio", { name: "收入余额" }));
    await user.click(pay());
    const confirm = within(await screen.findByRole("dialog", { name: "确认用收入余额支付" }));
    expect(confirm.getByRole("button", { name: /^确认支付/ })).toBeEnabled();
    expect(heard.filter((call) => /pay/i.test(call.name))).toEqual([]);
  });

  test("the income account is for uploaders (PY023), and coins do not buy coins", async () => {
    const { user } = await openPayment({
      order: order({ functionModule: 0, orderType: 0, canUseCoupon: false }),
    });
    expect(screen.queryByRole("radio", { name: "收入余额" })).toBeNull();
    expect(screen.queryByRole("radio", { name: "云币" })).toBeNull();
    await user.click(method("支付宝"));
    expect(method("支付宝")).toBeChecked();
  });

  test("an uploader is offered four ways (PY049)", async () => {
    await openPayment({}, { queryInfo: { datas: { uploaderType: 2 } } });
    await waitFor(() =>
      expect(screen.getAllByRole("radio", { name: /^(微信支付|云币|收入余额|支付宝)$/ })).toHaveLength(4),
    );
  });

  test("a batch lists its items, each with its price (OR003, OR004)", async () => {
    const item = orderItem({ amount: 1990 });
    await openPayment({
      order: order({
        payTpye: "batch",
        isBuyType: "buymodel",
        orderDetailList: [
          { ...item, description: "齿轮" },
          { ...item, id: "2", description: "轴承", amount: 5 },
        ],
      }),
    });
    const items = within(screen.getByRole("list", { name: "订单明细" })).getAllByRole("listitem");
    expect(items.map((one) => one.textContent)).toEqual(["齿轮¥19.90", "轴承¥0.05"]);
  });
});

describe("free counts of a membership", () => {
  const models = (count: number, changes: Parameters<typeof order>[0] = {}) =>
    order({
      functionModule: 3,
      orderType: 10,
      isBuyType: "buymodel",
      canUseCoupon: false,
      memberFreeCounts: 48,
      modelPublisherUploaderType: 1,
      payTpye: count > 1 ? "batch" : null,
      orderDetailList: Array.from({ length: count }, (_, at) =>
        orderItem({ id: `${at}`, modelId: `m${at}` }),
      ),
      ...changes,
    });

  test.each([
    [1, "payByMemberFreeCount"],
    [3, "batchPayModelsByMemberFreeCount"],
  ])("an order of %i is paid by its own call (PY013, PY044)", async (count, call) => {
    let status = 0;
    const { user, heard } = await openPayment(
      { order: models(count), status: () => status },
      {
        [call]: () => {
          status = 1;
          return {};
        },
      },
    );
    expect(method("微信支付")).toBeChecked();
    await user.click(method("会员免费次数"));
    expect(method("会员免费次数")).toHaveAccessibleDescription(`剩余 48 次，本单用 ${count} 次`);
    expect(screen.getByTestId("to-pay")).toHaveTextContent("¥0.00");
    await user.click(pay());
    expect(await screen.findByText("支付成功，3 秒后跳转")).toBeInTheDocument();
    expect(formOf(heard, call)).toMatchObject({ orderId: "o1" });
  });

  test("too few are told with their number, and cannot be chosen (PY037, PY041)", async () => {
    await openPayment({ order: models(2, { memberFreeCounts: 1 }) });
    expect(method("会员免费次数")).toBeDisabled();
    expect(method("会员免费次数")).toHaveAccessibleDescription(
      "您的免费次数为1，不足以抵扣此订单，请重新选择或直接支付",
    );
  });

  test("without end they are offered at any number (PY038)", async () => {
    await openPayment({ order: models(3, { memberFreeCounts: -1 }) });
    expect(method("会员免费次数")).toBeEnabled();
    expect(method("会员免费次数")).toHaveAccessibleDescription("不限次数，本单用 3 次");
  });

  test.each([
    ["personal modelers (PY042)", models(1, { modelPublisherUploaderType: 2 })],
    ["enterprise modelers (PY043)", models(1, { modelPublisherUploaderType: 3 })],
    ["who has none", models(1, { memberFreeCounts: 0 })],
    ["orders of other things", order({ memberFreeCounts: 48 })],
  ])("they are not offered: %s", async (_, asked) => {
    await openPayment({ order: asked });
    expect(screen.queryByRole("radio", { name: "会员免费次数" })).toBeNull();
  });
});

describe("cloud coin", () => {
  test("asks first, then pays with what was seen, renews the token and reloads (PY005, PY016, PY021, PY024, PY025, PY033, MB015, MB016)", async () => {
    expect(POLL_MS).toBe(6_000);
    let status = 0;
    const { user, heard } = await openPayment(
      { status: () => status },
      {
        cloudCoinPay: () => {
          status = 1;
          return {};
        },
      },
    );
    await user.click(await screen.findByRole("radio", { name: /^30元会员优惠券/ }));
    await user.click(pay());
    const confirm = within(await screen.findByRole("dialog", { name: "确认用云币支付" }));
    expect(formOf(heard, "cloudCoinPay")).toBeUndefined();
    expect(confirm.getByText("¥2,731.00")).toBeInTheDocument();
    await user.click(confirm.getByRole("button", { name: /^确认支付/ }));
    expect(await screen.findByText("支付成功，3 秒后跳转")).toBeInTheDocument();
    expect(formOf(heard, "cloudCoinPay")).toMatchObject({ orderId: "o1", couponId: "c30", coupon: "3000" });
    expect(formOf(heard, "cloudCoinPay")).not.toHaveProperty("return_url");
    await waitFor(() => expect(reloads).toHaveBeenCalledTimes(1));
    expect(heard.filter((call) => call.path.endsWith("/oauth/refresh/token"))).toHaveLength(1);
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  test("on the recharge page it stays there, with isPay=1 (PY030)", async () => {
    const bought = order({ functionModule: 0, orderType: 0, canUseCoupon: false, status: 1 });
    answer({
      ...shopAnswers({ order: bought }),
      queryAccountDetails: { datas: { totalCount: 0, results: [] } },
    });
    const { store, at } = openSite("/workbench/account/accountRecharge", { signedIn: true });
    act(() => {
      store.dispatch(paymentOpened({ orderId: "o1" }));
    });
    await waitFor(() => expect(at()).toBe("/workbench/account/accountRecharge?isPay=1"));
    expect(await screen.findByText("充值成功，云币已到账")).toBeInTheDocument();
    expect(reloads).not.toHaveBeenCalled();
  });

  test("where the page asks so, success is an event and nothing is left (PY027)", async () => {
    answer(shopAnswers({ order: order({ status: 1 }) }));
    const { store, at } = openSite("/siteMap", { signedIn: true });
    act(() => {
      store.dispatch(paymentOpened({ orderId: "o1", isNotJump: true }));
    });
    await screen.findByText(/支付成功/);
    await waitFor(() => expect(store.getState().shop.payment.orderId).toBe(""));
    expect(at()).toBe("/siteMap");
    expect(reloads).not.toHaveBeenCalled();
  });

  test("too little: it says what is lacking, and recharges from there", async () => {
    const recharge = order({
      orderId: "o2",
      functionModule: 0,
      orderType: 0,
      amount: 9900,
      canUseCoupon: false,
    });
    const { user, heard, store } = await openPayment(
      { order: order({ cloudCoin: 20000 }) },
      { createRechargeOrder: { datas: recharge } },
    );
    act(() => {
      store.dispatch(payConfigured({ isNotJump: true }));
    });
    await user.click(method("云币"));
    expect(method("云币")).toHaveAccessibleDescription("余额 ¥200.00，还差 ¥99.00");
    expect(pay()).toBeDisabled();
    await user.click(screen.getByRole("button", { name: "充值" }));
    const dialog = within(await screen.findByRole("dialog", { name: "充值云币" }));
    expect(dialog.getByLabelText("其他金额")).toHaveValue("99");
    await user.click(dialog.getByRole("button", { name: "充值" }));
    await waitFor(() => expect(store.getState().shop.payment).toEqual({ orderId: "o2", returnTo: "o1" }));
    expect(formOf(heard, "createRechargeOrder")).toMatchObject({ amount: "9900", orderType: "0" });
    // a page that does not navigate still does not after returning to the first order
    expect(store.getState().shop.payConfig.isNotJump).toBe(true);
  });

  test("a refusal opens the payment-failed dialog (PY007), from which it is tried again (PY046)", async () => {
    let down = true;
    const { user, heard } = await openPayment(
      {},
      { cloudCoinPay: () => (down ? "network error" : { code: 60107, message: "云币余额不足" }) },
    );
    await user.click(method("云币"));
    await user.click(pay());
    await user.click(await screen.findByRole("button", { name: /^确认支付/ }));
    const failed = within(await screen.findByRole("dialog", { name: "支付失败" }));
    expect(failed.getByRole("status")).toHaveTextContent("支付失败，请检查您的网络");
    down = false;
    await user.click(failed.getByRole("button", { name: "重新支付" }));
    expect(await screen.findByText("云币余额不足")).toBeInTheDocument();
    expect(heard.filter((call) => call.name === "cloudCoinPay")).toHaveLength(2);
  });
});

describe("WeChat", () => {
  const CODE = "weixin://wxpay/bizpayurl?pr=abc123";

  test("shows the code and the sandbox's phone; the push ends it at once (PY004, PY019)", async () => {
    setConfig({ ...testConfig, sandbox: "http://127.0.0.1:9100" });
    const { user, store } = await openPayment({}, { weixinpay: { datas: { code_url: CODE } } });
    await user.click(pay());
    const code = within(await screen.findByRole("dialog", { name: "微信扫码支付" }));
    expect(await code.findByRole("img", { name: "请用微信扫一扫二维码" })).toBeInTheDocument();
    expect(code.getByRole("link", { name: "模拟手机付款" })).toHaveAttribute(
      "href",
      "http://127.0.0.1:9100/wechat/phone?pr=abc123",
    );
    act(() => {
      store.dispatch(queueMessage({ type: "PAY_WECHAT", orderId: "another", success: true }));
    });
    expect(screen.queryByText(/支付成功/)).toBeNull();
    act(() => {
      store.dispatch(queueMessage({ type: "PAY_WECHAT", orderId: "o1", success: true }));
    });
    expect(await screen.findByText("支付成功，3 秒后跳转")).toBeInTheDocument();
  });

  test("without a sandbox there is no way to play the phone", async () => {
    const { user } = await openPayment({}, { weixinpay: { datas: { code_url: CODE } } });
    await user.click(pay());
    await screen.findByRole("dialog", { name: "微信扫码支付" });
    expect(screen.queryByRole("link", { name: "模拟手机付款" })).toBeNull();
  });

  test("polls every 6 s until the status is 1, and no more after it is left (PY017, PY018, PY035)", async () => {
    let status = 0;
    const { user, heard } = await openPayment(
      { status: () => status },
      { weixinpay: { datas: { code_url: CODE } } },
    );
    vi.useFakeTimers({
      toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"],
      shouldAdvanceTime: true,
    });
    try {
      const polls = () => heard.filter((call) => call.name === "findByOrderId").length;
      await user.click(pay());
      await screen.findByRole("dialog", { name: "微信扫码支付" });
      await waitFor(() => expect(polls()).toBeGreaterThanOrEqual(1));
      const before = polls();
      // Real time also advances the clock: on a busy machine there may be several polls.
      await act(() => vi.advanceTimersByTimeAsync(POLL_MS));
      await waitFor(() => expect(polls()).toBeGreaterThan(before));
      await user.click(screen.getByRole("button", { name: "选择其他支付方式" }));
      const left = polls();
      await act(() => vi.advanceTimersByTimeAsync(20_000));
      expect(polls()).toBe(left);
      await user.click(pay());
      status = 1;
      await act(() => vi.advanceTimersByTimeAsync(POLL_MS));
      expect(await screen.findByText(/^支付成功/)).toBeInTheDocument();
    } finally {
      vi.useRealTimers();
    }
  });

  test("a push without success, a refusal and an answer without a code (PY020, PY045, PY047)", async () => {
    let reply: { code?: number; message?: string; datas?: unknown } = { datas: { code_url: CODE } };
    const { user, store } = await openPayment({}, { weixinpay: () => reply });
    await user.click(pay());
    await screen.findByRole("dialog", { name: "微信扫码支付" });
    act(() => {
      store.dispatch(queueMessage({ type: "PAY_WECHAT", orderId: "o1", success: false }));
    });
    const failed = () => within(screen.getByRole("dialog", { name: "支付失败" }));
    await screen.findByRole("dialog", { name: "支付失败" });
    reply = { datas: { code_url: "" } };
    await user.click(failed().getByRole("button", { name: "重新支付" }));
    expect(await screen.findByText("订单无效，请取消订单后重新下单")).toBeInTheDocument();
    reply = { code: 60105, message: "支付渠道未受理，请稍后再试或选择其他支付方式" };
    await user.click(failed().getByRole("button", { name: "重新支付" }));
    expect(await screen.findByText("支付渠道未受理，请稍后再试或选择其他支付方式")).toBeInTheDocument();
  });

  test("a way that is not open yet is told beside it, and another can be chosen", async () => {
    const { user } = await openPayment({}, { weixinpay: { code: 60404, message: "该服务尚未开放" } });
    await user.click(pay());
    await waitFor(() => expect(method("微信支付")).toBeDisabled());
    expect(method("微信支付")).toHaveAccessibleDescription("该支付方式尚未开放，请选择其他支付方式");
    expect(pay()).toBeDisabled();
    await user.click(method("云币"));
    expect(pay()).toBeEnabled();
  });
});

describe("Alipay", () => {
  const FORM =
    '<form id="f" method="post" action="https://openapi.example.test/gateway.do?charset=utf-8" onsubmit="steal()">' +
    '<input type="hidden" name="biz_content" value="{&quot;subject&quot;:&quot;基础会员&quot;}">' +
    '<input type="hidden" name="sign" value="a+b/c="></form><script>document.forms[0].submit()</script>';

  test("the fields of the server's form go to its address, nothing of its markup", () => {
    let sent: { action: string; method: string; target: string; fields: Record<string, string> } | undefined;
    vi.spyOn(HTMLFormElement.prototype, "submit").mockImplementation(function (this: HTMLFormElement) {
      sent = {
        action: this.action,
        method: this.method,
        target: this.target,
        fields: Object.fromEntries([...this.querySelectorAll("input")].map((one) => [one.name, one.value])),
      };
    });
    expect(submitForm(FORM, null)).toBe(true);
    expect(sent).toEqual({
      action: "https://openapi.example.test/gateway.do?charset=utf-8",
      method: "post",
      target: "_self",
      fields: { biz_content: '{"subject":"基础会员"}', sign: "a+b/c=" },
    });
    expect(document.querySelectorAll("form")).toHaveLength(0);
  });

  test.each(["", "<p>维护中</p>", '<form action="javascript:alert(1)"></form>', "<form></form>"])(
    "%j is not sent anywhere",
    (html) => {
      const submit = vi.spyOn(HTMLFormElement.prototype, "submit").mockImplementation(() => undefined);
      expect(submitForm(html, null)).toBe(false);
      expect(submit).not.toHaveBeenCalled();
    },
  );

  test("opens the cashier, waits, and takes up the outcome (PY015, PY016)", async () => {
    let status = 0;
    vi.spyOn(window, "open").mockReturnValue(null);
    const submit = vi.spyOn(HTMLFormElement.prototype, "submit").mockImplementation(() => undefined);
    const { user, heard } = await openPayment({ status: () => status }, { pcAlipay: { datas: FORM } });
    await user.click(method("支付宝"));
    await user.click(pay());
    await screen.findByText("请在新打开的支付宝页面完成付款");
    expect(submit).toHaveBeenCalledTimes(1);
    expect(formOf(heard, "pcAlipay")).toMatchObject({
      orderId: "o1",
      couponId: "",
      coupon: "",
      return_url: `${window.location.origin}/common/pay?orderId=o1`,
    });
    await user.click(screen.getByRole("button", { name: "我已完成付款" }));
    expect(await screen.findByText(/还没有收到付款结果/)).toBeInTheDocument();
    status = 1;
    await user.click(screen.getByRole("button", { name: "我已完成付款" }));
    expect(await screen.findByText("支付成功，3 秒后跳转")).toBeInTheDocument();
  });
});

describe("orders that are over", () => {
  test("at zero: the words, and the order is cancelled (PY010, PY011)", async () => {
    const heard = answer(shopAnswers({ order: order({ expireTime: Date.now() + 900 }) }));
    const { store } = openSite("/siteMap", { signedIn: true });
    act(() => {
      store.dispatch(paymentOpened({ orderId: "o1" }));
    });
    expect(await screen.findByText("订单超时，请重新下单")).toBeInTheDocument();
    await waitFor(() => expect(formOf(heard, "cancel")).toMatchObject({ orderId: "o1" }));
    expect(screen.queryByRole("button", { name: "立即支付" })).toBeNull();
  });

  test.each([
    [2, "订单已取消，请重新下单"],
    [3, "订单超时，请重新下单"],
    [4, "订单超时，请重新下单"],
  ])("status %i: %s", async (status, words) => {
    answer(shopAnswers({ order: order({ status }) }));
    const { store } = openSite("/siteMap", { signedIn: true });
    act(() => {
      store.dispatch(paymentOpened({ orderId: "o1" }));
    });
    expect(await screen.findByText(words)).toBeInTheDocument();
  });

  test("paid elsewhere meanwhile: the refusal is looked into, and it is a success", async () => {
    let status = 0;
    const { user } = await openPayment(
      { status: () => status },
      {
        weixinpay: () => {
          status = 1;
          return { code: 60105, message: "订单已支付，请勿重复付款" };
        },
      },
    );
    await user.click(pay());
    expect(await screen.findByText("支付成功，3 秒后跳转")).toBeInTheDocument();
    expect(screen.queryByRole("dialog", { name: "支付失败" })).toBeNull();
  });

  test("an order that cannot be read can be asked for again", async () => {
    answer({ ...shopAnswers(), getById: { code: 60104, message: "订单不存在" } });
    const { store } = openSite("/siteMap", { signedIn: true });
    act(() => {
      store.dispatch(paymentOpened({ orderId: "gone" }));
    });
    expect(await screen.findByText("订单没有读取成功")).toBeInTheDocument();
  });
});

test("the number is copied, and told either way (PY048)", async () => {
  const { user } = await openPayment();
  const write = vi.spyOn(navigator.clipboard, "writeText");
  write.mockResolvedValueOnce(undefined);
  await user.click(screen.getByRole("button", { name: "复制订单号" }));
  expect(await screen.findByText("复制成功")).toBeInTheDocument();
  write.mockRejectedValueOnce(new Error("denied"));
  await user.click(screen.getByRole("button", { name: "复制订单号" }));
  expect(await screen.findAllByText("复制失败，请手动选取")).not.toHaveLength(0);
});

test("the page of an order tells how it stands, and goes home once it is paid (PY031)", async () => {
  let status = 0;
  answer(shopAnswers({ status: () => status }));
  const { at, user } = openSite("/common/pay?orderId=o1", { signedIn: true });
  expect(await screen.findByText("还没有收到付款结果，收到后本页会自动更新")).toBeInTheDocument();
  status = 1;
  await user.click(screen.getByRole("button", { name: "去支付" }));
  await screen.findAllByText(/^支付成功/);
  await waitFor(() => expect(at()).toBe("/"));
});
