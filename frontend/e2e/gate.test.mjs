/**
 * The gate's journeys in Chromium, on one site: the main job and one purchase, each from end to end, and the main pages of
 * each area.
 */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Client } from "./lib/client.mjs";
import { journeys } from "./lib/journey.mjs";
import { listed, until } from "./lib/listings.mjs";
import { check, sample, sha256 } from "./lib/models.mjs";
import { enrol, faultsHere, operatorLink, signIn, visit } from "./lib/operators.mjs";
import { faultsOfPages, routes } from "./lib/pages.mjs";
import { payByWechat } from "./lib/payment.mjs";
import { answered, download, exactly, waitDone } from "./lib/person.mjs";
import { drawn } from "./lib/pictures.mjs";
import { NARROW, WIDE } from "./lib/sound.mjs";
import { finish, openWizard, uploadAndCheck } from "./lib/wizard.mjs";

/** The product and its price. */
const NAME = "青花瓶";
const CENTS = 1990;
const YUAN = "19.90";

// covers: /login
const OF_VISITORS = [
  "/",
  "/pricePage",
  "/helpCenter",
  "/applicationCenter",
  "/production",
  "/matchingPlatform",
  "/login",
  "/transaction",
];
const OF_THE_SIGNED_IN = [
  "/workbench",
  "/workbench/myUpload",
  "/workbench/service",
  "/workbench/serviceResult",
  "/publishCenter",
  "/workbench/myShoppCart",
  "/workbench/myOrder",
  "/workbench/myIncome",
  "/workbench/myMessage",
  "/workbench/information",
  "/workbench/account",
  "/workbench/account/accountRecharge",
  "/workbench/account/myCoupon",
  "/workbench/account/vipPackage",
];
const OF_OPERATORS = [
  { address: "#/", title: "总览" },
  { address: "#/users", title: "用户" },
];

journeys("gate", { env: { XUANLAN__TRANSACTION__REVIEW: "false" } }, (site) => {
  // Its pictures are made during the first journeys.
  const offer = offerOf(site);
  // The journeys that await it report the failure.
  offer.catch(() => {});
  return {
    "main job": mainJob,
    "pages of visitors": (scene) => pagesOfVisitors(scene, offer),
    "pages of operators": pagesOfOperators,
    "pages of the signed in": (scene) => pagesOfTheSignedIn(scene, offer),
    "one purchase": (scene) => onePurchase(scene, offer),
  };
});

/** A model in the mall, its maker, and the file that its buyer must get. */
async function offerOf(site) {
  const folder = await mkdtemp(path.join(tmpdir(), "xuanlan-e2e-offer-"));
  const maker = await new Client(site).register("13911110021", "shangjia-21");
  for (const location of [0, 1]) await maker.call("P07", { location });
  const file = await sample(folder, "vase", "花瓶.glb", 1500);
  const particulars = { categoryId: "c1304", license: "personal", origin: "own", intro: "可直接使用" };
  const { listingId, fileId } = await listed(maker, file, NAME, { ...particulars, price: CENTS });
  const sum = await sha256(file);
  await rm(folder, { recursive: true });
  return { maker, listingId, fileId, sum };
}

/** The rows of these pages, all of which must be open. */
function chosen(paths) {
  return paths.map((one) => {
    const row = routes.find((route) => route.path === one);
    assert.ok(row?.state === "open", `${one} is not open`);
    return row;
  });
}

// covers: R02 R11 R13 X01 X02 X03 X04
async function mainJob(scene) {
  const { site } = scene;
  const folder = await mkdtemp(path.join(tmpdir(), "xuanlan-e2e-main-job-"));
  const person = await new Client(site).register("13911110020", "zhuliucheng1");
  const context = await scene.context();
  await context.addCookies(person.cookies());
  const page = await scene.page(context);
  const gears = await sample(folder, "gears", "行星齿轮组.glb", 5000);
  const expected = await check(gears);
  let fileId;
  let resultId;

  await scene.step("a GLB is uploaded, checked and named", async () => {
    await openWizard(page, site);
    ({ fileId } = await uploadAndCheck(page, gears));
    await finish(page);
    const detail = await person.call("X02", { fileId });
    assert.equal(detail.status, "ready");
    assert.equal(detail.sha256, await sha256(gears));
    assert.deepEqual(detail.report.statistics, expected.statistics);
  });

  await scene.step("the viewer draws it", async () => {
    await page.getByRole("link", { name: "行星齿轮组", exact: true }).click();
    const stage = page.getByRole("application", { name: /^三维查看/ });
    await stage.waitFor();
    await drawn(page, stage.locator("canvas").first(), 200);
    assert.equal(await stage.getByRole("alert").count(), 0);
    const facts = page.getByRole("region", { name: "模型信息" });
    await facts.getByRole("img", { name: `体检得分 ${expected.score}` }).waitFor();
  });

  await scene.step("it is lightened", async () => {
    await page.getByRole("link", { name: "轻量化", exact: true }).first().click();
    await page.getByRole("heading", { name: "模型服务", level: 1 }).waitFor();
    await page.getByText(exactly("行星齿轮组")).waitFor();
    await page.getByRole("button", { name: "均衡" }).click();
    const submitted = await answered(page, "/service_result/submit", () =>
      page.getByRole("button", { name: "开始轻量化" }).click(),
    );
    assert.equal(submitted.resp_code, 60000, submitted.resp_msg);
    resultId = submitted.datas;
    await page.waitForURL(/serviceResult\/details/);
    await waitDone(page);
    const { report } = await person.call("R11", { resultId });
    assert.equal(report.input.triangles, expected.statistics.triangles);
    assert.ok(report.output.triangles > 0 && report.output.triangles <= report.input.triangles * 0.25);
  });

  await scene.step("before and after are compared, and the result is downloaded", async () => {
    const stage = page.getByRole("application", { name: "轻量化前后对比" });
    await stage.waitFor();
    await drawn(page, stage.locator("canvas").first(), 200);
    const file = await download(page, folder, () => page.getByRole("button", { name: "下载结果" }).click());
    const { report } = await person.call("R11", { resultId });
    assert.equal((await check(file)).statistics.triangles, report.output.triangles);
  });

  assert.deepEqual(page.problems, []);
  await rm(folder, { recursive: true, force: true });
}

// covers: T01 T03 T05 Y02 O02 X120 X121
async function onePurchase(scene, offer) {
  const { site } = scene;
  const folder = await mkdtemp(path.join(tmpdir(), "xuanlan-e2e-purchase-"));
  const buyer = await new Client(site).register("13911110022", "maijia-22");
  for (const location of [0, 1]) await buyer.call("P07", { location });
  const context = await scene.context();
  await context.addCookies(buyer.cookies());
  const page = await scene.page(context);
  const button = (name) => page.getByRole("button", { name, exact: true });
  const { listingId, sum } = await offer;
  const detail = `${site.url}/transaction/detail?id=${listingId}`;
  let orderId;

  await scene.step("a model of the mall is put into the cart", async () => {
    assert.equal((await buyer.call("X120")).totalCount, 0);
    await page.goto(detail);
    await page.getByRole("heading", { level: 1, name: NAME }).waitFor();
    const added = await answered(page, "/transaction/add", () => button("加入购物车").click());
    assert.equal(added.resp_code, 60000, added.resp_msg);
    await page.getByRole("link", { name: "购物车，1 件" }).waitFor();
    await page.getByRole("link", { name: "已在购物车，去结算" }).click();
    await page
      .getByTestId("cart-total")
      .filter({ hasText: `¥${YUAN}` })
      .waitFor();
  });

  await scene.step("it is ordered, and waits to be paid", async () => {
    const { datas } = await answered(page, "/model/topay", () => button("结算").click());
    ({ orderId } = datas);
    const pay = page.getByRole("dialog", { name: "支付", exact: true });
    await pay.getByText(NAME, { exact: true }).waitFor();
    await pay.getByTestId("to-pay").filter({ hasText: YUAN }).waitFor();
    assert.equal((await buyer.call("O02", { orderId })).status, 0);
  });

  await scene.step("paid by WeChat in the sandbox, it is the buyer's", async () => {
    await payByWechat(page);
    await page.waitForURL(`${site.url}/workbench/myModel?way=bought`);
    const order = () => buyer.call("O02", { orderId });
    assert.equal((await order()).status, 1);
    await until("its delivery", async () => (await order()).fulfilled);
    const file = await download(page, folder, () => button(`下载 GLB ${NAME}`).click());
    assert.equal(await sha256(file), sum);
    await page.getByRole("link", { name: "购物车，0 件" }).waitFor();
  });

  await scene.step("the order is done, and the model's page knows who has it", async () => {
    await page.goto(`${site.url}/workbench/myOrder`);
    const orders = page.getByRole("list", { name: "订单" });
    await orders.getByText("已完成").waitFor();
    await orders.getByText(`¥${YUAN}`).waitFor();
    await page.goto(detail);
    await button("去下载").waitFor();
  });

  assert.deepEqual(page.problems, []);
  await rm(folder, { recursive: true });
}

async function pagesOfVisitors(scene, offer) {
  const page = await scene.page();
  await scene.step("each renders its heading, without complaints, wide and on a phone", async () => {
    assert.deepEqual(await faultsOfPages(scene.site, {}, [page], chosen(OF_VISITORS)), []);
  });

  await scene.step("so does the page of a model of the mall", async () => {
    const { listingId } = await offer;
    const ids = { listing: { id: listingId, name: NAME } };
    assert.deepEqual(await faultsOfPages(scene.site, ids, [page], chosen(["/transaction/detail"])), []);
  });
}

async function pagesOfTheSignedIn(scene, offer) {
  const { maker, fileId } = await offer;
  const context = await scene.context();
  await context.addCookies(maker.cookies());
  const page = await scene.page(context);
  await scene.step("each renders its heading, without complaints, wide and on a phone", async () => {
    assert.deepEqual(await faultsOfPages(scene.site, { fileId }, [page], chosen(OF_THE_SIGNED_IN)), []);
  });
}

async function pagesOfOperators(scene) {
  const { site } = scene;
  const page = await scene.page();
  await scene.step("an operator enrols and signs in", async () => {
    await signIn(page, "anna", await enrol(page, await operatorLink(site, "anna")));
  });

  await scene.step("each has its heading, without complaints, wide and on a phone", async () => {
    const faults = [];
    for (const { address, title } of OF_OPERATORS) {
      page.problems.length = 0;
      await visit(page, site, address, title);
      for (const size of [WIDE, NARROW]) {
        await page.setViewportSize(size);
        faults.push(...(await faultsHere(page, address)));
      }
      await page.setViewportSize(WIDE);
    }
    assert.deepEqual(faults, []);
  });
}
