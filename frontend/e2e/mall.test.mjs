/**
 * The mall as a visitor uses it: search, filters, the viewer; a free model is taken and kept, a paid one goes into the cart,
 * is paid by coins and downloaded.
 */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Client } from "./lib/client.mjs";
import { journey } from "./lib/journey.mjs";
import { listed } from "./lib/listings.mjs";
import { sample, sha256 } from "./lib/models.mjs";
import { acting, answered } from "./lib/person.mjs";
import { sound } from "./lib/sound.mjs";

const NAME = "行星齿轮组";
const SECOND = "月球灯";
/** The first demo account: it holds 3000 yuan in cloud coins. */
const BUYER = { phone: "13800000001", password: "xuanlan1" };

// covers: T01 T02 T03 T04 T05 T06 T07 T09 T10 T12 X110 X111 X112 X113 X120 X121
journey("mall", { demo: true, env: { XUANLAN__TRANSACTION__REVIEW: "false" } }, async (scene) => {
  const { site } = scene;
  const folder = await mkdtemp(path.join(tmpdir(), "xuanlan-e2e-mall-"));
  const maker = await new Client(site).register("13911110091", "shangjia-91");
  await maker.call("A11", { nickname: "齿轮匠" });
  const terms = { license: "personal", origin: "own", intro: "可直接使用", description: "模数 2。\n24 齿。" };
  const offered = async (kind, file, triangles, name, particulars) =>
    listed(maker, await sample(folder, kind, file, triangles), name, { ...terms, ...particulars });
  const [gears, vase, lamp] = await Promise.all([
    offered("gears", "齿轮.glb", 6000, NAME, { categoryId: "c1001", price: 1990 }),
    offered("vase", "花瓶.glb", 3000, "青花瓶", { categoryId: "c1304", price: 0 }),
    offered("gears", "灯.glb", 3500, SECOND, { categoryId: "c1304", price: 110 }),
  ]);

  const visitor = await scene.page();
  await scene.step(
    "a visitor finds it by pinyin, narrows by what stands beside it, and goes back",
    async () => {
      await visitor.goto(`${site.url}/transaction`);
      await visitor.getByRole("list", { name: "新品上架" }).getByText(NAME).waitFor();
      await visitor.getByRole("list", { name: "免费模型" }).getByText("青花瓶").waitFor();
      await sound(visitor, "the mall");
      const box = visitor.getByRole("combobox", { name: "搜索模型" });
      await box.fill("chilun");
      await box.press("Enter");
      const results = visitor.getByRole("list", { name: "搜索结果" });
      await results.getByText(NAME).waitFor();
      await sound(visitor, "the search");
      assert.equal(await results.getByRole("listitem").count(), 1);
      await visitor.goto(`${site.url}/transaction/search`);
      await results.getByText("青花瓶").waitFor();
      await visitor.getByRole("group", { name: "价格" }).getByRole("button", { name: /免费/ }).click();
      await results.getByText(NAME).waitFor({ state: "detached" });
      assert.match(visitor.url(), /price=0-1/);
      await visitor.goBack();
      await results.getByText(NAME).waitFor();
    },
    visitor,
  );

  await scene.step(
    "looks at it from all sides, at what the check-up says, and at its maker",
    async () => {
      await visitor.getByRole("list", { name: "搜索结果" }).getByText(NAME).click();
      await visitor.getByRole("heading", { level: 1, name: NAME }).waitFor();
      await visitor.getByText("19.9").first().waitFor();
      await visitor.getByRole("heading", { name: "个人授权" }).waitFor();
      await sound(visitor, "the model's page");
      const views = visitor.getByRole("group", { name: "图片" }).getByRole("button");
      // the 3D proxy, six pictures and the turntable; the wireframes are not loaded with them
      assert.equal(await views.count(), 8);
      assert.equal(await visitor.locator('img[src*="wire-"]').count(), 0);
      await visitor.getByRole("tab", { name: "线框" }).click();
      assert.equal(await views.count(), 6);
      await visitor.getByRole("img", { name: `${NAME}，线框 正面` }).waitFor();
      await visitor.getByRole("tab", { name: "展示图" }).click();
      await visitor.getByRole("button", { name: "三维查看", exact: true }).click();
      await visitor.locator("canvas").first().waitFor();
      await visitor.getByRole("link", { name: /^齿轮匠/ }).click();
      await visitor.getByRole("heading", { level: 1, name: "齿轮匠" }).waitFor();
      await visitor.getByRole("list", { name: "上架的模型" }).getByText("青花瓶").waitFor();
      await sound(visitor, "the maker's page");
      assert.deepEqual(visitor.problems, []);
    },
    visitor,
  );

  await scene.step(
    "somebody takes the free one, and downloads just what its maker has uploaded",
    async () => {
      const taker = await new Client(site).register("13911110092", "lingqu-92");
      await visitor.context().addCookies(taker.cookies());
      await visitor.goto(`${site.url}/transaction/detail?id=${vase.listingId}`);
      await visitor.getByText("今天还可以免费领取 5 个。").waitFor();
      await acting(visitor, "领取成功，即将前往我的模型", () =>
        visitor.getByRole("button", { name: "免费领取" }).click(),
      );
      await visitor.getByRole("heading", { level: 1, name: "我的模型" }).waitFor();
      await maker.call("X104", { listingIds: vase.listingId });
      await visitor.reload();
      await visitor.getByText("商城已下架").first().waitFor();
      await sound(visitor, "one's models");
      const [file] = await Promise.all([
        visitor.waitForEvent("download"),
        visitor.getByRole("button", { name: "下载 GLB 青花瓶" }).click(),
      ]);
      assert.equal(await sha256(await file.path()), await sha256(path.join(folder, "花瓶.glb")));
      assert.equal(file.suggestedFilename(), "青花瓶-v1.glb");
      assert.equal(Number(await taker.call("T07")), 4);
    },
    visitor,
  );

  const buyer = await new Client(site).signIn(BUYER.phone, BUYER.password);
  const context = await scene.context();
  await context.addCookies(buyer.cookies());
  const shopper = await scene.page(context);
  const button = (name) => shopper.getByRole("button", { name, exact: true });
  const cart = (count) => shopper.getByRole("link", { name: `购物车，${count} 件` });
  const total = (yuan) => shopper.getByTestId("cart-total").filter({ hasText: `¥${yuan}` });
  const detail = ({ listingId }) => `${site.url}/transaction/detail?id=${listingId}`;

  await scene.step(
    "a buyer fills the cart, which counts and sums, and takes one out again (CT004, CT006, CT007, HD010)",
    async () => {
      await shopper.goto(detail(gears));
      await acting(shopper, "已加入购物车", () => button("加入购物车").click());
      await cart(1).waitFor();
      await shopper.goto(detail(lamp));
      await acting(shopper, "已加入购物车", () => button("加入购物车").click());
      await cart(2).waitFor();
      await sound(shopper, "a model that can be bought");
      await shopper.getByRole("link", { name: "已在购物车，去结算" }).click();
      await total("21.00").waitFor();
      await sound(shopper, "the cart");
      await acting(shopper, "成功移出购物车", () => button(`移出 ${SECOND}`).click());
      await total("19.90").waitFor();
      await cart(1).waitFor();
      await buyer.call("T03", { modelId: lamp.listingId });
      await maker.call("X102", { listingId: gears.listingId, price: 1290 });
      await shopper.goto(`${site.url}/transaction/shoppingCart`);
      await shopper.locator("s", { hasText: "¥19.90" }).waitFor();
      await total("14.00").waitFor();
      await sound(shopper, "the mall's cart");
    },
    shopper,
  );

  await scene.step(
    "both are one order, paid by coins and downloaded (OR003, OR004)",
    async () => {
      const { datas } = await answered(shopper, "/model/topay", () => button("结算").click());
      assert.equal(datas.payTpye, "batch");
      assert.equal(datas.isBuyType, "buymodel");
      const pay = shopper.getByRole("dialog", { name: "支付" });
      const items = pay.getByRole("list", { name: "订单明细" });
      await items.getByText(NAME).waitFor();
      assert.deepEqual(
        (await items.getByRole("listitem").allTextContents()).sort(),
        [`${NAME}¥12.90`, `${SECOND}¥1.10`].sort(),
      );
      await sound(shopper, "the payment of two models");
      await pay.getByRole("radio", { name: "云币" }).check();
      await button("立即支付").click();
      await shopper
        .getByRole("dialog", { name: "确认用云币支付" })
        .getByRole("button", { name: /^确认支付/ })
        .click();
      await shopper.waitForURL(`${site.url}/workbench/myModel?way=bought`);
      const [file] = await Promise.all([
        shopper.waitForEvent("download"),
        button(`下载 GLB ${NAME}`).click(),
      ]);
      assert.equal(await sha256(await file.path()), await sha256(path.join(folder, "齿轮.glb")));
      await cart(0).waitFor();
    },
    shopper,
  );

  await scene.step(
    "its page knows it, and the order tells what it was made of",
    async () => {
      await shopper.goto(detail(gears));
      await button("去下载").waitFor();
      await shopper.getByText(/^已购买，/).waitFor();
      await shopper.goto(`${site.url}/workbench/myOrder`);
      await shopper.getByRole("list", { name: "订单" }).getByText("已完成").first().waitFor();
      await shopper
        .getByRole("list", { name: "订单" })
        .getByRole("button")
        .filter({ hasText: "等 2 个模型" })
        .click();
      const order = shopper.getByRole("dialog", { name: "订单详情" });
      await order.getByRole("list", { name: "订单明细" }).getByText(SECOND).waitFor();
      await order.getByRole("link", { name: "去我的模型下载" }).waitFor();
      assert.deepEqual(shopper.problems, []);
    },
    shopper,
  );

  await scene.step(
    "withdrawn, it is gone at once",
    async () => {
      await maker.call("X104", { listingIds: gears.listingId });
      await visitor.goto(`${site.url}/transaction/detail?id=${gears.listingId}`);
      await visitor.getByRole("heading", { level: 1, name: "模型已下架" }).waitFor();
      await rm(folder, { recursive: true });
    },
    visitor,
  );
});
