import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import type { TransactionModelListReply } from "@/calls/transaction";
import { cartAnswers } from "@/test/cart";
import { author, detail, gear } from "@/test/mall";
import { type Answer, answer, type HeardCall } from "@/test/server";
import { order, shopAnswers } from "@/test/shop";
import { frameAnswers, openSite } from "@/test/site";

const found = (change: Partial<TransactionModelListReply> = {}): Answer => ({
  datas: {
    totalCount: 60,
    results: [gear],
    facets: [
      {
        name: "format",
        buckets: [
          { key: "glb", name: "GLB", count: 40 },
          { key: "obj", name: "OBJ", count: 20 },
        ],
      },
      { name: "price", buckets: [{ key: "1-5000", name: "50 元以下", count: 12 }] },
      { name: "seller", buckets: [{ key: "u9", name: "齿轮匠", count: 2 }] },
    ],
    corrected: "",
    ...change,
  } satisfies TransactionModelListReply,
});

const asked = (heard: HeardCall[]) =>
  heard.filter((call) => call.name === "list" && call.path.includes("transaction"));

test("a word and facets are asked for and stand in the address; each can be taken back (ML005)", async () => {
  const heard = answer({ ...frameAnswers(), suggest: { datas: [] }, list: found() });
  const { user, at } = openSite(`/transaction/search/${encodeURIComponent("齿轮")}?page=2`);
  expect(await screen.findByRole("heading", { level: 1, name: "齿轮" })).toBeInTheDocument();
  expect(await screen.findByRole("link", { name: /行星齿轮组/ })).toHaveAttribute(
    "href",
    "/transaction/detail?id=m1",
  );
  expect(asked(heard)[0]?.form).toMatchObject({ keyword: "齿轮", pageNo: "2", pageSize: "24" });

  const formats = screen.getByRole("group", { name: "格式" });
  await user.click(within(formats).getByRole("button", { name: /^GLB/ }));
  await waitFor(() => expect(at()).toMatch(/\?format=glb$/));
  await user.click(await screen.findByRole("button", { name: /^50 元以下/ }));
  await waitFor(() => expect(at()).toMatch(/format=glb&price=1-5000$/));
  await waitFor(() =>
    expect(asked(heard).at(-1)?.form).toMatchObject({
      formats: "glb",
      priceMin: "1",
      priceMax: "4999",
      pageNo: "1",
    }),
  );
  await user.click(screen.getByRole("button", { name: "取消筛选：价格 50 元以下" }));
  await waitFor(() => expect(at()).toMatch(/\?format=glb$/));
  expect(within(formats).getByRole("button", { name: /^GLB/ })).toHaveAttribute("aria-pressed", "true");
});

test("without a word there are all models, and what finds nothing says what to do (ML005)", async () => {
  answer({ ...frameAnswers(), list: found({ totalCount: 0, results: [], facets: [], corrected: "齿轮" }) });
  openSite("/transaction/search?format=xyz");
  expect(await screen.findByRole("heading", { level: 1, name: "全部模型" })).toBeInTheDocument();
  expect(await screen.findByText("没有相符的模型")).toBeInTheDocument();
  expect(screen.getByText(/您是不是要找/)).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "齿轮" })).toHaveAttribute(
    "href",
    `/transaction/search/${encodeURIComponent("齿轮")}`,
  );
  expect(screen.getByRole("link", { name: "清除筛选" })).toHaveAttribute("href", "/transaction/search");
});

test("beyond last page: the last one takes its place in the address", async () => {
  const heard = answer({
    ...frameAnswers(),
    list: ({ form }) => found(Number(form.pageNo) > 3 ? { results: [] } : {}),
  });
  const { at } = openSite("/transaction/search?sort=newest&page=9");
  expect(await screen.findByRole("link", { name: /行星齿轮组/ })).toBeInTheDocument();
  expect(at()).toBe("/transaction/search?sort=newest&page=3");
  expect(asked(heard).map(({ form }) => form.pageNo)).toEqual(["9", "3"]);
});

test("values that no search takes are not sent", async () => {
  const heard = answer({ ...frameAnswers(), list: found() });
  openSite("/transaction/search?license=foo&sort=x&page=abc");
  expect(await screen.findByRole("link", { name: /行星齿轮组/ })).toBeInTheDocument();
  expect(asked(heard).map(({ form }) => [form.license, form.sort, form.pageNo])).toEqual([
    [undefined, undefined, "1"],
  ]);
  expect(screen.queryByRole("button", { name: /^取消筛选/ })).toBeNull();
});

test("a maker without a nickname is called the same everywhere, never by the login id", async () => {
  answer({
    ...frameAnswers(),
    list: found({
      results: [{ ...gear, sellerName: "" }],
      facets: [{ name: "seller", buckets: [{ key: "u9", name: "", count: 2 }] }],
    }),
    detail: { datas: { ...detail, author: { ...author, nickname: "" } } },
    similar: { datas: [] },
  });
  // u8 is chosen and has no model among these
  openSite("/transaction/search?seller=u8");
  expect(await screen.findByText(/^玄览用户 · /)).toBeInTheDocument();
  const makers = within(screen.getByRole("group", { name: "作者" })).getAllByRole("button");
  expect(makers.map(({ textContent }) => textContent)).toEqual(["未知作者0", "玄览用户2"]);
  expect(screen.getByRole("button", { name: "取消筛选：作者 未知作者" })).toBeInTheDocument();
  expect(document.querySelector("main")?.textContent).not.toMatch(/u[89]/);
  cleanup();
  openSite("/transaction/detail?id=m1");
  expect(await screen.findByRole("link", { name: /^玄览用户/ })).toBeInTheDocument();
});

test("two makers without a nickname are told apart by the end of a long id", async () => {
  const [one, two] = ["8a1c0d2e-77aa-4f1b-9c7d-00000000f1bc", "8a1c0d2e-77aa-4f1b-9c7d-000000000a2d"];
  answer({
    ...frameAnswers(),
    list: found({
      results: [
        { ...gear, seller: one ?? "", sellerName: "" },
        { ...gear, listingId: "m2", seller: two ?? "", sellerName: "" },
      ],
    }),
  });
  openSite("/transaction/search");
  expect(await screen.findByText(/^玄览用户·f1bc · /)).toBeInTheDocument();
  expect(screen.getByText(/^玄览用户·0a2d · /)).toBeInTheDocument();
});

test("a card tells how many triangles the model has, and what the check-up says", async () => {
  answer({ ...frameAnswers(), list: found() });
  openSite("/transaction/search");
  expect(await screen.findByText("12 万面 · 体检 92 分")).toBeInTheDocument();
});

test("results that could not be read are asked for again", async () => {
  let times = 0;
  answer({
    ...frameAnswers(),
    list: () => {
      times += 1;
      return times === 1 ? { code: 60500, message: "系统繁忙" } : found();
    },
  });
  const { user } = openSite("/transaction/search");
  await user.click(await screen.findByRole("button", { name: "重试" }));
  expect(await screen.findByRole("link", { name: /行星齿轮组/ })).toBeInTheDocument();
});

test("a model's page tells what it is, what may be done with it, and who made it (HD020)", async () => {
  answer({ ...frameAnswers(), detail: { datas: detail }, similar: { datas: [] } });
  openSite("/transaction/detail?id=m1");
  expect(await screen.findByRole("heading", { level: 1, name: "行星齿轮组" })).toBeInTheDocument();
  await waitFor(() => expect(document.title).toBe("行星齿轮组 - 玄览云"));
  expect(document.querySelector('link[rel="canonical"]')?.getAttribute("href")).toMatch(
    /\/transaction\/detail\?id=m1$/,
  );
  expect(screen.getByText("60,321")).toBeInTheDocument();
  expect(screen.getByText("补上倒角")).toBeInTheDocument();
  expect(screen.getByText("近 90 天最低 ¥29.00，最高 ¥39.00")).toBeInTheDocument();
  expect(screen.getByRole("heading", { name: "商用授权" })).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "立即购买" })).toBeInTheDocument();
  expect(screen.getByText(/^商用授权：可用于商业项目/)).toBeInTheDocument();
  expect(screen.getByRole("link", { name: /齿轮匠/ })).toHaveAttribute(
    "href",
    "/transaction/author?userId=u9&type=2",
  );
});

test("a maker's page lists their models and follows them (HD020)", async () => {
  const heard = answer({
    ...frameAnswers(),
    author: {
      datas: {
        author: { ...author, certified: "enterprise" },
        categories: [
          { key: "c1", name: "工业", count: 2 },
          { key: "c11", name: "传动", count: 2 },
        ],
      },
    },
    labelCate: {
      datas: [
        {
          id: "c1",
          name: "工业",
          count: 2,
          labels: [],
          children: [{ id: "c11", name: "传动", count: 2, children: [], labels: [] }],
        },
      ],
    },
    list: ({ path }) =>
      path.includes("attention")
        ? { datas: { totalCount: 0, results: [], followingCount: 0, following: false } }
        : found({ totalCount: 1 }),
    follow: { datas: { totalCount: 0, results: [], followingCount: 1, following: true } },
  });
  const { user } = openSite("/transaction/author?userId=u9&type=2", { signedIn: true });
  expect(await screen.findByRole("heading", { level: 1, name: "齿轮匠" })).toBeInTheDocument();
  expect(screen.getByText("企业认证")).toBeInTheDocument();
  expect(await screen.findByRole("link", { name: "工业 2" })).toBeInTheDocument();
  expect(screen.queryByRole("link", { name: /^传动/ })).toBeNull();
  expect(await screen.findByRole("link", { name: /行星齿轮组/ })).toBeInTheDocument();
  expect(asked(heard).at(-1)?.form).toMatchObject({ sellerId: "u9", sort: "newest" });
  expect(screen.getByRole("link", { name: "查看全部上架的模型" })).toHaveAttribute(
    "href",
    "/transaction/search?seller=u9",
  );
  await user.click(screen.getByRole("button", { name: "关注" }));
  expect(await screen.findByRole("button", { name: "已关注" })).toBeInTheDocument();
  expect(heard.find((call) => call.name === "follow")?.form).toMatchObject({ targetId: "u9" });
});

test("a maker's models wait below until it is known what stands above them", async () => {
  let tell: (reply: Answer) => void = () => undefined;
  const heard = answer({
    ...frameAnswers(),
    author: () => new Promise<Answer>((resolve) => (tell = resolve)),
    list: found({ totalCount: 1 }),
  });
  openSite("/transaction/author?userId=u9&type=2");
  await waitFor(() => expect(asked(heard).length).toBe(1));
  expect(await screen.findByRole("status", { name: "正在加载模型" })).toBeInTheDocument();
  await waitFor(() => expect(heard.some(({ name }) => name === "author")).toBe(true));
  expect(screen.queryByRole("link", { name: /行星齿轮组/ })).toBeNull();
  tell({ datas: { author, categories: [] } });
  expect(await screen.findByRole("link", { name: /行星齿轮组/ })).toBeInTheDocument();
  expect(asked(heard)).toHaveLength(1);
});

test("who sells nothing has a page to be followed on", async () => {
  const none = { uploaderType: 0, models: 0, ratingSum: 0, ratingCount: 0, since: 0, nickname: "" };
  answer({
    ...frameAnswers(),
    author: { datas: { author: { ...author, ...none, certified: "" }, categories: [] } },
    list: ({ path }) =>
      path.includes("attention")
        ? { datas: { totalCount: 0, results: [], followingCount: 0, following: false } }
        : found({ totalCount: 0, results: [] }),
  });
  openSite("/transaction/author?userId=u9&type=2", { signedIn: true });
  expect(await screen.findByRole("heading", { level: 1, name: "玄览用户" })).toBeInTheDocument();
  expect(screen.getByText("还没有上架模型")).toBeInTheDocument();
  expect(screen.queryByText("企业认证")).not.toBeInTheDocument();
  expect(screen.getByRole("link", { name: "查看作品" })).toHaveAttribute(
    "href",
    "/production/classify?author=u9",
  );
  expect(await screen.findByRole("button", { name: "关注" })).toBeInTheDocument();
  expect(await screen.findByText("还没有上架的模型")).toBeInTheDocument();
  expect(screen.queryByRole("link", { name: /^查看全部/ })).toBeNull();
});

describe("buying a model on its page", () => {
  const made = order({
    orderId: "o7",
    description: "行星齿轮组",
    functionModule: 3,
    orderType: 10,
    amount: 2900,
    payAble: 2900,
    isBuyType: "buymodel",
  });
  const mine = (way: string) => ({
    totalCount: 1,
    counts: { [way]: 1 },
    results: [{ modelId: "m1", modelName: "行星齿轮组", way, state: "active", versions: [] }],
  });

  /** The page of the gear; `had` returns the user's copies of it. */
  async function openGear(
    had: () => unknown = () => ({ totalCount: 0, counts: {}, results: [] }),
    more: Parameters<typeof answer>[0] = {},
  ) {
    const heard = answer({
      ...shopAnswers({ order: made }),
      ...cartAnswers([]),
      detail: { datas: detail },
      similar: { datas: [] },
      list: ({ path }) => ({ datas: path.includes("myModel") ? had() : [] }),
      createOrder: { datas: made },
      ...more,
    });
    const page = openSite("/transaction/detail?id=m1", { signedIn: true });
    await screen.findByRole("heading", { level: 1, name: "行星齿轮组" });
    return { ...page, heard };
  }

  test("into the cart: the header counts it, and the button leads there", async () => {
    const { user, heard } = await openGear();
    await user.click(await screen.findByRole("button", { name: "加入购物车" }));
    expect(await screen.findByText("已加入购物车")).toBeInTheDocument();
    expect(await screen.findByRole("link", { name: "购物车，1 件" })).toBeInTheDocument();
    expect(await screen.findByRole("link", { name: "已在购物车，去结算" })).toHaveAttribute(
      "href",
      "/workbench/myShoppCart",
    );
    expect(heard.find((call) => call.name === "add")?.form).toMatchObject({ userId: "u1", modelId: "m1" });
  });

  test("at once: the order with the licence that is shown, then its payment; paid and delivered, the page says so (OR013)", async () => {
    let paid = false;
    const { user, heard, store, at } = await openGear(
      () => (paid ? mine("paid") : { totalCount: 0, counts: {}, results: [] }),
      {
        getById: () => ({ datas: { ...made, status: paid ? 1 : 0 } }),
        findByOrderId: () => ({ datas: { orderId: "o7", status: paid ? 1 : 0, fulfilled: paid } }),
        cloudCoinPay: () => {
          paid = true;
          return {};
        },
        createOrder: { code: 60212, message: "您有一个相同的订单待支付", datas: made },
      },
    );
    await user.click(await screen.findByRole("button", { name: "立即购买" }));
    expect(await screen.findByText("您有一个相同的订单待支付")).toBeInTheDocument();
    expect(await screen.findByTestId("to-pay")).toHaveTextContent("¥29.00");
    expect(heard.find((call) => call.name === "createOrder")?.form).toMatchObject({
      userId: "u1",
      modelId: "m1",
      type: "commercial",
    });
    await user.click(screen.getByRole("radio", { name: "云币" }));
    await user.click(screen.getByRole("button", { name: "立即支付" }));
    await user.click(await screen.findByRole("button", { name: /^确认支付/ }));
    expect(await screen.findByText(/可以随时下载/)).toBeInTheDocument();
    await user.click(await screen.findByRole("button", { name: "现在就去" }));
    await waitFor(() => expect(store.getState().shop.payment.orderId).toBe(""));
    expect(await screen.findByRole("button", { name: "去下载" })).toBeInTheDocument();
    expect(screen.getByText(/^已购买，/)).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "立即购买" })).toBeNull();
    expect(at()).toBe("/transaction/detail?id=m1");
  });

  test("for another price than the page shows it is said before anything is paid", async () => {
    const dearer = { ...made, amount: 3500, payAble: 3500 };
    const { user } = await openGear(undefined, { createOrder: { datas: dearer } });
    await user.click(await screen.findByRole("button", { name: "立即购买" }));
    expect(
      await screen.findByText("订单价格是 ¥35.00，与页面上的 ¥29.00 不同，请确认后再支付"),
    ).toBeInTheDocument();
    expect(await screen.findByRole("dialog", { name: "支付" })).toBeInTheDocument();
  });

  test("refused, it says why and reads the model anew", async () => {
    const { user, heard } = await openGear(undefined, {
      createOrder: { code: 60105, message: "这个模型已经下架" },
    });
    await user.click(await screen.findByRole("button", { name: "立即购买" }));
    expect(await screen.findByText("这个模型已经下架")).toBeInTheDocument();
    await waitFor(() => expect(heard.filter((call) => call.name === "detail")).toHaveLength(2));
    expect(screen.queryByRole("dialog", { name: "支付" })).toBeNull();
  });

  test("who has it downloads it, and its maker manages it", async () => {
    await openGear(() => mine("free"));
    expect(await screen.findByRole("button", { name: "去下载" })).toBeInTheDocument();
    expect(screen.getByText(/^已免费领取，/)).toBeInTheDocument();
    cleanup();
    await openGear(undefined, { detail: { datas: { ...detail, listing: { ...gear, seller: "u1" } } } });
    expect(await screen.findByRole("link", { name: "管理这个模型" })).toBeInTheDocument();
    expect(screen.getByText("这是您自己发布的模型，不用购买。")).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "加入购物车" })).toBeNull();
  });

  test.each(["立即购买", "加入购物车"])("%s asks a visitor to sign in, and comes back", async (name) => {
    const heard = answer({ ...frameAnswers(), detail: { datas: detail }, similar: { datas: [] } });
    const { user, store } = openSite("/transaction/detail?id=m1");
    await user.click(await screen.findByRole("button", { name }));
    expect(store.getState().authDialog).toMatchObject({
      open: true,
      step: "login",
      returnURL: "/transaction/detail?id=m1",
    });
    expect(heard.filter((call) => ["add", "createOrder"].includes(call.name))).toEqual([]);
  });
});
