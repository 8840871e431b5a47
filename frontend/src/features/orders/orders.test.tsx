import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { OrderOrderSummary } from "@/calls/order";
import { queueMessage } from "@/realtime";
import { answer, type HeardCall } from "@/test/server";
import { order, orderItem, shopAnswers } from "@/test/shop";
import { openSite } from "@/test/site";

const PATH = "/workbench/myOrder";

function summary(id: string, changes: Partial<OrderOrderSummary> = {}): OrderOrderSummary {
  return { ...order({ orderId: id, orderNo: `20261122${id}` }), ...changes };
}

const unpaid = summary("1");
const paid = summary("2", {
  description: "高级会员（年卡）",
  status: 1,
  fulfilled: true,
  amount: 69900,
  payAble: 59900,
});

/** Filters the list by status, as the server would. */
function listOf(all: OrderOrderSummary[]) {
  return ({ form }: HeardCall) => {
    const rows = all.filter((row) => form.status === undefined || String(row.status) === form.status);
    return { datas: { totalCount: rows.length, results: rows } };
  };
}

async function openOrders(all: OrderOrderSummary[], address = PATH, more = {}) {
  const heard = answer({ ...shopAnswers(), list: listOf(all), ...more });
  const page = openSite(address, { signedIn: true });
  await screen.findByRole("heading", { level: 1, name: "我的订单" });
  return { ...page, heard };
}

const rows = () => within(screen.getByRole("list", { name: "订单" })).getAllByRole("listitem");

test("each order with number, price in yuan, state and what can be done (OR002)", async () => {
  await openOrders([unpaid, paid]);
  await screen.findByRole("list", { name: "订单" });
  const [first, second] = rows().map((row) => within(row));
  expect(first?.getByText("¥299.00")).toBeInTheDocument();
  expect(first?.getByText("待付款")).toBeInTheDocument();
  expect(first?.getByRole("timer").textContent).toMatch(/^(25:00|24:\d\d)$/);
  expect(first?.getByRole("button", { name: "去支付" })).toBeInTheDocument();
  expect(second?.getByText("¥599.00")).toBeInTheDocument();
  expect(second?.getByText("已完成")).toBeInTheDocument();
  expect(second?.queryByRole("button", { name: "去支付" })).toBeNull();
});

test("tabs carry their counts and narrow the list", async () => {
  const { user, heard, at } = await openOrders([unpaid, paid]);
  const tab = await screen.findByRole("tab", { name: "待付款（1）" });
  expect(await screen.findByRole("tab", { name: "全部（2）" })).toHaveAttribute("aria-selected", "true");
  await user.click(tab);
  await waitFor(() => expect(rows()).toHaveLength(1));
  expect(at()).toBe(`${PATH}?tab=unpaid`);
  expect(heard.at(-1)?.form.status).toBe("0");
});

test("filters go to the server with the page back at the first", async () => {
  const { user, heard, at } = await openOrders([unpaid], `${PATH}?page=3`);
  await user.type(await screen.findByRole("textbox", { name: "订单号" }), " 202611221 {Enter}");
  await waitFor(() => expect(at()).toBe(`${PATH}?orderNo=202611221`));
  await waitFor(() => expect(heard.at(-1)?.form).toMatchObject({ orderNo: "202611221", pageNo: "1" }));
});

test("a day range covers both its days", async () => {
  const { heard } = await openOrders([unpaid], `${PATH}?from=2026-11-01&to=2026-11-02&module=4`);
  const sent = () => heard.filter((call) => call.name === "list").find((call) => call.form.beginTime);
  await waitFor(() => expect(sent()).toBeDefined());
  const { beginTime, endTime, functionModule } = sent()?.form ?? {};
  expect(Number(endTime) - Number(beginTime)).toBe(2 * 24 * 3600 * 1000);
  expect(functionModule).toBe("4");
});

test("page by page", async () => {
  const many = Array.from({ length: 10 }, (_, index) => summary(String(index + 10)));
  const { user, heard } = await openOrders([], PATH, { list: { datas: { totalCount: 25, results: many } } });
  await user.click(await screen.findByRole("button", { name: "第 3 页" }));
  await waitFor(() => expect(heard.at(-1)?.form).toMatchObject({ pageNo: "3", pageSize: "10" }));
});

test("cancelling asks first", async () => {
  const { user, heard } = await openOrders([unpaid]);
  await user.click(await screen.findByRole("button", { name: "取消" }));
  const question = within(await screen.findByRole("dialog", { name: "取消这个订单？" }));
  expect(heard.some((call) => call.name === "cancel")).toBe(false);
  await user.click(question.getByRole("button", { name: "取消订单" }));
  expect(await screen.findByText("订单已取消")).toBeInTheDocument();
  expect(heard.find((call) => call.name === "cancel")?.form.orderId).toBe("1");
});

test("a cancellation that is refused says why", async () => {
  const refusal = { code: 60105, message: "订单已支付，不能取消" };
  const { user } = await openOrders([unpaid], PATH, { cancel: refusal });
  await user.click(await screen.findByRole("button", { name: "取消" }));
  await user.click(await screen.findByRole("button", { name: "取消订单" }));
  expect(await screen.findByText("订单已支付，不能取消")).toBeInTheDocument();
});

test("an order opens beside the list, by an address of its own; it is paid from there", async () => {
  const { user, at, store } = await openOrders([unpaid]);
  await user.click(await screen.findByRole("button", { name: "基础会员（年卡）" }));
  const drawer = within(await screen.findByRole("dialog", { name: "订单详情" }));
  expect(await drawer.findByText("会员")).toBeInTheDocument();
  expect(at()).toBe(`${PATH}?order=1`);
  await user.click(drawer.getByRole("button", { name: "去支付" }));
  expect(store.getState().shop.payment.orderId).toBe("1");
  expect(at()).toBe(PATH);
});

const goods = {
  functionModule: 3,
  orderType: 10,
  description: "购买 2 个模型",
  amount: 1995,
  payAble: 1995,
  payTpye: "batch",
  isBuyType: "buymodel",
  orderDetailList: [orderItem(), orderItem({ id: "2", amount: 5, description: "轴承" })],
};

test("an order of goods shows its items with their prices, and is paid from there (OR004)", async () => {
  const { user, store } = await openOrders([summary("1", goods)], PATH, {
    getById: { datas: order({ orderId: "1", ...goods }) },
  });
  await user.click(await screen.findByRole("button", { name: "购买 2 个模型" }));
  const drawer = within(await screen.findByRole("dialog", { name: "订单详情" }));
  const items = within(await drawer.findByRole("list", { name: "订单明细" })).getAllByRole("listitem");
  expect(items.map((item) => item.textContent)).toEqual(["齿轮¥19.90", "轴承¥0.05"]);
  expect(drawer.queryByRole("link", { name: "去我的模型下载" })).toBeNull();
  await user.click(drawer.getByRole("button", { name: "去支付" }));
  expect(store.getState().shop.payment.orderId).toBe("1");
});

test.each([
  ["delivered models", { ...goods, status: 1, fulfilled: true }, true],
  ["models that are still on their way", { ...goods, status: 1, fulfilled: false }, false],
  ["a membership", { status: 1, fulfilled: true }, false],
])("%s: the way to one's models (OR009)", async (_what, changes, leads) => {
  const { user } = await openOrders([summary("1", changes)], PATH, {
    getById: { datas: order({ orderId: "1", ...changes }) },
  });
  const { description } = summary("1", changes);
  await user.click(await screen.findByRole("button", { name: description }));
  const drawer = within(await screen.findByRole("dialog", { name: "订单详情" }));
  await drawer.findByText(changes.fulfilled ? "已完成" : "已付款");
  const link = drawer.queryByRole("link", { name: "去我的模型下载" });
  expect(link?.getAttribute("href")).toBe(leads ? "/workbench/myModel?way=bought" : undefined);
});

test("empty, empty by filter, and not to be read", async () => {
  let down = false;
  const list = () =>
    down ? { code: 60500, message: "系统繁忙" } : { datas: { totalCount: 0, results: [] } };
  const { user } = await openOrders([], `${PATH}?orderNo=x`, { list });
  await screen.findByText("没有符合条件的订单");
  await user.click(screen.getAllByRole("button", { name: "清除条件" })[0] as HTMLElement);
  await screen.findByText("还没有订单");
  down = true;
  await user.click(screen.getByRole("tab", { name: /^已取消/ }));
  // Only waits for it: an immediate retry may render the text again.
  await screen.findByText("订单没有读取成功");
});

test("a payment in another tab is seen as soon as it is told, and on coming back", async () => {
  let shown = [unpaid];
  const { store } = await openOrders([], PATH, { list: (call: HeardCall) => listOf(shown)(call) });
  // Within the list: its tabs have the same texts.
  const list = within(await screen.findByRole("list", { name: "订单" }));
  expect(list.getByText("待付款")).toBeInTheDocument();
  shown = [{ ...unpaid, status: 1 }];
  act(() => {
    store.dispatch(queueMessage({ type: "ORDER", orderId: unpaid.orderId, status: 1 }));
  });
  expect(await list.findByText("已付款")).toBeInTheDocument();
  expect(list.queryByText("待付款")).toBeNull();

  // No push this time.
  shown = [{ ...unpaid, status: 1, fulfilled: true }];
  const later = Date.now() + 60_000;
  const clock = vi.spyOn(Date, "now").mockReturnValue(later);
  fireEvent.focus(window);
  clock.mockRestore();
  expect(await list.findByText("已完成")).toBeInTheDocument();
});

test("a model that was not downloaded is given back from its order; what goes back says so", async () => {
  const paidGoods = {
    ...goods,
    status: 1,
    fulfilled: true,
    payTime: Date.now() - 60_000,
    orderDetailList: [
      orderItem({ state: "granted" }),
      orderItem({ id: "2", description: "轴承", state: "refunded" }),
    ],
  };
  const { user, heard } = await openOrders([summary("1", paidGoods)], PATH, {
    getById: { datas: order({ orderId: "1", ...paidGoods }) },
    returnItem: { datas: { state: "returned" } },
  });
  await user.click(await screen.findByRole("button", { name: "购买 2 个模型" }));
  const drawer = within(await screen.findByRole("dialog", { name: "订单详情" }));
  expect(await drawer.findByText("已退款")).toBeInTheDocument();
  expect(drawer.getAllByRole("button", { name: /^退款：/ })).toHaveLength(1);
  await user.click(drawer.getByRole("button", { name: "退款：齿轮" }));
  await user.click(await screen.findByRole("button", { name: "确认退款" }));
  expect(await screen.findByText("退款已受理，款项将原路退回")).toBeInTheDocument();
  const call = heard.find((one) => one.name === "returnItem");
  expect(call?.form).toMatchObject({ orderId: "1", itemId: "1" });
});

test("a week after the purchase nothing is given back any more", async () => {
  const old = {
    ...goods,
    status: 1,
    fulfilled: true,
    payTime: Date.now() - 8 * 86_400_000,
    orderDetailList: [orderItem({ state: "granted" })],
  };
  const { user } = await openOrders([summary("1", old)], PATH, {
    getById: { datas: order({ orderId: "1", ...old }) },
  });
  await user.click(await screen.findByRole("button", { name: "购买 2 个模型" }));
  const drawer = within(await screen.findByRole("dialog", { name: "订单详情" }));
  await drawer.findByText("齿轮");
  expect(drawer.queryByRole("button", { name: /^退款：/ })).toBeNull();
});
