import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { invalidateOrder, STALE_BY_ORDER } from "@/calls/order";
import type { TransactionCartItem } from "@/calls/transaction";
import { paymentSucceeded } from "@/shop";
import { findings } from "@/test/axe";
import { cartAnswers, cartItem, cartList } from "@/test/cart";
import { type Answer, answer, type HeardCall } from "@/test/server";
import { order, shopAnswers } from "@/test/shop";
import { openSite } from "@/test/site";
import { chosenOf } from "./choice";

const PATH = "/workbench/myShoppCart";

const batch = order({
  orderId: "o9",
  functionModule: 3,
  orderType: 10,
  description: "购买 2 个模型",
  amount: 30,
  payAble: 30,
  payTpye: "batch",
  isBuyType: "buymodel",
});

async function openCart(
  items: TransactionCartItem[],
  more: Record<string, Answer | ((call: HeardCall) => Answer)> = {},
  path = PATH,
) {
  const heard = answer({ ...shopAnswers({ order: batch }), ...cartAnswers(items), ...more });
  const page = openSite(path, { signedIn: true });
  await screen.findByRole("heading", { level: 1, name: "购物车" });
  return { ...page, heard };
}

const rows = (name = "可以结算的模型") => within(screen.getByRole("list", { name })).getAllByRole("listitem");
const total = () => screen.getByTestId("cart-total");
const formsOf = (heard: HeardCall[], name: string) =>
  heard.filter((call) => call.name === name).map((call) => call.form);

describe("what it shows", () => {
  test.each([PATH, "/transaction/shoppingCart"])(
    "%s is asked for in one page of 200, and the header counts it (CT001, CT002, HD010, SE010)",
    async (path) => {
      const { heard } = await openCart([cartItem("1"), cartItem("2")], {}, path);
      await waitFor(() => expect(rows()).toHaveLength(2));
      expect(screen.getByText("共 2 个模型，价格以结算时为准")).toBeInTheDocument();
      expect(await screen.findByRole("link", { name: "购物车，2 件" })).toBeInTheDocument();
      const asked = formsOf(heard, "getCartList");
      expect(asked.length).toBeGreaterThan(0);
      for (const form of asked) expect(form).toMatchObject({ userId: "u1", pageNo: "1", pageSize: "200" });
    },
  );

  test("each model with name, picture, licence and price (CT003), the sum with two decimals (CT004)", async () => {
    const dear = cartItem("2", { modelPrice: 20, license: "commercial", preview: "https://x.test/2.webp" });
    await openCart([cartItem("1", { modelPrice: 10 }), dear]);
    await waitFor(() => expect(total()).toHaveTextContent("¥0.30"));
    const second = within(rows()[1] as HTMLElement);
    expect(second.getByRole("link", { name: "模型2" })).toHaveAttribute("href", "/transaction/detail?id=2");
    expect(second.getByText("商用授权 · GLB")).toBeInTheDocument();
    expect(rows()[1]?.querySelector("img")).toHaveAttribute("src", "https://x.test/2.webp");
    expect(rows()[1]).toHaveTextContent("¥0.20");
    expect(await findings()).toEqual([]);
  });

  test("nothing in it says so (CT005)", async () => {
    await openCart([]);
    expect(await screen.findByText("购物车是空的")).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "结算" })).toBeNull();
  });

  test("a visitor of the mall's cart is asked to sign in", async () => {
    answer(shopAnswers());
    const { user, store } = openSite("/transaction/shoppingCart");
    await screen.findByText("登录后查看购物车");
    await user.click(within(screen.getByRole("main")).getByRole("button", { name: "登录" }));
    expect(store.getState().authDialog).toMatchObject({
      open: true,
      step: "login",
      returnURL: "/transaction/shoppingCart",
    });
  });

  test("what could not be read is asked for again", async () => {
    let down = true;
    const getCartList = () =>
      down ? { code: 60500, message: "系统繁忙" } : { datas: cartList([cartItem("1")]) };
    const { user } = await openCart([], { getCartList });
    const retry = await screen.findByRole("button", { name: "重试" });
    down = false;
    await user.click(retry);
    await waitFor(() => expect(rows()).toHaveLength(1));
  });

  test("a price that fell crosses out the former one; one that rose does not", async () => {
    await openCart([
      cartItem("1", { modelPrice: 1000, addedPrice: 3000 }),
      cartItem("2", { modelPrice: 5000, addedPrice: 3000 }),
      cartItem("3"),
    ]);
    await waitFor(() => expect(rows()).toHaveLength(3));
    const [fell, rose, same] = rows();
    expect(fell?.querySelector("s")).toHaveTextContent("¥30.00");
    expect(fell).toHaveTextContent("降了 ¥20.00");
    expect(rose).toHaveTextContent("加入时 ¥30.00，已涨价");
    expect(rose?.querySelector("s")).toBeNull();
    expect(same).not.toHaveTextContent("加入时");
  });

  test("what cannot be bought stays with its reason, and never counts", async () => {
    await openCart([
      cartItem("1", { modelPrice: 100 }),
      cartItem("2", { modelPrice: 900, state: "withdrawn", available: false, reason: "作者已下架" }),
      cartItem("3", { modelPrice: 900, owned: true, available: false, reason: "您已拥有这个模型" }),
      cartItem("4", { modelPrice: 0, addedPrice: 500 }),
    ]);
    await waitFor(() => expect(rows()).toHaveLength(1));
    expect(total()).toHaveTextContent("¥1.00");
    const [gone, owned, free] = rows("不在结算中的模型").map((row) => within(row));
    expect(gone?.getByText("作者已下架")).toBeInTheDocument();
    expect(gone?.queryByRole("checkbox")).toBeNull();
    // its page is not available
    expect(gone?.queryByRole("link")).toBeNull();
    expect(owned?.getByRole("link", { name: "去我的模型" })).toBeInTheDocument();
    expect(free?.getByRole("link", { name: "去领取" })).toHaveAttribute("href", "/transaction/detail?id=4");
    expect(await findings()).toEqual([]);
  });
});

describe("taking out", () => {
  test("one: the message, the list, the sum and the header's number (CT006, CT007)", async () => {
    const { user, heard } = await openCart([
      cartItem("1", { modelPrice: 100 }),
      cartItem("2", { modelPrice: 50 }),
    ]);
    await waitFor(() => expect(total()).toHaveTextContent("¥1.50"));
    await user.click(screen.getByRole("button", { name: "移出 模型2" }));
    expect(await screen.findByText("成功移出购物车")).toBeInTheDocument();
    await waitFor(() => expect(rows()).toHaveLength(1));
    await waitFor(() => expect(total()).toHaveTextContent("¥1.00"));
    expect(await screen.findByRole("link", { name: "购物车，1 件" })).toBeInTheDocument();
    expect(formsOf(heard, "delCartModel")).toEqual([expect.objectContaining({ userId: "u1", modelId: "2" })]);
  });

  test("several at once, after a question", async () => {
    const { user, heard } = await openCart([cartItem("1"), cartItem("2"), cartItem("3")]);
    await user.click(await screen.findByRole("checkbox", { name: "选择 模型3" }));
    await user.click(screen.getByRole("button", { name: "移出所选" }));
    const question = within(await screen.findByRole("dialog", { name: "移出 2 个模型？" }));
    expect(formsOf(heard, "delCartModel")).toEqual([]);
    await user.click(question.getByRole("button", { name: "移出" }));
    expect(await screen.findByText("成功移出购物车")).toBeInTheDocument();
    expect(formsOf(heard, "delCartModel")[0]?.modelId).toBe("1,2");
    await waitFor(() => expect(rows()).toHaveLength(1));
  });

  test("all that cannot be bought", async () => {
    const gone = { available: false, state: "takendown", reason: "已被平台下架" };
    const { user, heard } = await openCart([cartItem("1"), cartItem("2", gone), cartItem("3", gone)]);
    await user.click(await screen.findByRole("button", { name: "全部移出" }));
    await user.click(await screen.findByRole("button", { name: "移出" }));
    await waitFor(() => expect(formsOf(heard, "delCartModel")[0]?.modelId).toBe("2,3"));
    await waitFor(() => expect(screen.queryByRole("list", { name: "不在结算中的模型" })).toBeNull());
  });

  test("what was refused stays, and no success is told", async () => {
    const { user } = await openCart([cartItem("1")], {
      delCartModel: { code: 60500, message: "系统繁忙，请稍后再试" },
    });
    await user.click(await screen.findByRole("button", { name: "移出 模型1" }));
    expect(await screen.findByText("系统繁忙，请稍后再试")).toBeInTheDocument();
    expect(rows()).toHaveLength(1);
    expect(screen.queryByText("成功移出购物车")).toBeNull();
  });
});

describe("ordering", () => {
  const items = () => [
    cartItem("1", { modelPrice: 10 }),
    cartItem("2", { modelPrice: 20 }),
    cartItem("3", { modelPrice: 40 }),
  ];

  test("all or some; the sum follows, and they become one order that is paid at once", async () => {
    const { user, heard, store } = await openCart(items(), { topay: { datas: batch } });
    await waitFor(() => expect(total()).toHaveTextContent("¥0.70"));
    await user.click(screen.getByRole("checkbox", { name: "全选" }));
    expect(total()).toHaveTextContent("¥0.00");
    expect(screen.getByRole("button", { name: "结算" })).toBeDisabled();
    await user.click(screen.getByRole("checkbox", { name: "选择 模型1" }));
    await user.click(screen.getByRole("checkbox", { name: "选择 模型2" }));
    expect(total()).toHaveTextContent("¥0.30");
    expect(screen.getByText("已选 2 个")).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "结算" }));
    expect(await screen.findByRole("dialog", { name: "支付" })).toBeInTheDocument();
    expect(formsOf(heard, "topay")).toEqual([
      expect.objectContaining({ userId: "u1", modelId: "1,2", total: "30" }),
    ]);
    expect(store.getState().shop.payment.orderId).toBe("o9");
  });

  test("60212 shows its message and goes on to pay (OR013)", async () => {
    const message = "您有一个相同的订单待支付";
    const { user } = await openCart(items(), { topay: { code: 60212, message, datas: batch } });
    await user.click(await screen.findByRole("button", { name: "结算" }));
    expect(await screen.findByText(message)).toBeInTheDocument();
    expect(await screen.findByRole("dialog", { name: "支付" })).toBeInTheDocument();
  });

  test("another sum than was seen: the message, the cart read anew, nothing to pay", async () => {
    let dearer = false;
    const message = "价格有变化：您看到的是 ¥0.70，现在是 ¥0.90，请确认后重新提交";
    const { user, heard } = await openCart([], {
      getCartList: () => ({
        datas: cartList(dearer ? [cartItem("1", { modelPrice: 90, addedPrice: 70 })] : items()),
      }),
      topay: () => {
        dearer = true;
        return { code: 60105, message };
      },
    });
    await waitFor(() => expect(total()).toHaveTextContent("¥0.70"));
    await user.click(screen.getByRole("button", { name: "结算" }));
    expect(await screen.findByRole("alert")).toHaveTextContent(message);
    await waitFor(() => expect(total()).toHaveTextContent("¥0.90"));
    expect(screen.getByRole("alert")).toHaveTextContent(message);
    expect(screen.queryByRole("dialog", { name: "支付" })).toBeNull();
    expect(formsOf(heard, "getById")).toEqual([]);
  });

  test("paid: one's own models follow, also when the cart has been emptied by it", async () => {
    let delivered = false;
    const { user, store, at } = await openCart(items(), {
      getCartList: () => ({ datas: cartList(delivered ? [] : items()) }),
      topay: { datas: batch },
      list: ({ path }) => ({
        datas: path.includes("/coupon/") ? [] : { totalCount: 0, results: [], counts: {} },
      }),
    });
    await user.click(await screen.findByRole("button", { name: "结算" }));
    await screen.findByRole("dialog", { name: "支付" });
    act(() => {
      store.dispatch(paymentSucceeded({ orderId: "another" }));
    });
    expect(at()).toBe(PATH);
    delivered = true;
    act(() => {
      store.dispatch(invalidateOrder([...STALE_BY_ORDER]));
    });
    await screen.findByText("购物车是空的");
    act(() => {
      store.dispatch(paymentSucceeded({ orderId: "o9" }));
    });
    await waitFor(() => expect(at()).toBe("/workbench/myModel?way=bought"));
    expect(await screen.findByText("购买成功，模型已放入我的模型")).toBeInTheDocument();
  });
});

test("of the whole cart the server's sum stands, of a choice the sum of its models", () => {
  const cart = {
    ...cartList([cartItem("1", { modelPrice: 10 }), cartItem("2", { modelPrice: 20 })]),
    total: 31,
  };
  expect(chosenOf(cart, new Set()).total).toBe(31);
  expect(chosenOf(cart, new Set(["1"])).total).toBe(20);
});
