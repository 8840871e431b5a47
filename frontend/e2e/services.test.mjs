/** Viewer and report, lightweighting with comparison, conversion, downloads: document 2 §2, §4 and §6. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Client } from "./lib/client.mjs";
import { journey, PATIENCE } from "./lib/journey.mjs";
import { check, sample, sha256 } from "./lib/models.mjs";
import { answered, download, endTour, exactly, waitDone } from "./lib/person.mjs";
import { changed, drawn } from "./lib/pictures.mjs";
import { putModel } from "./lib/store.mjs";

const count = (number) => number.toLocaleString("zh-CN");

/** The same bytes by a signed address from the gateway, bypassing the page. */
async function storeDigest(person, of) {
  const reply = await fetch(await person.call("R13", of));
  assert.equal(reply.status, 200);
  return createHash("sha256")
    .update(Buffer.from(await reply.arrayBuffer()))
    .digest("hex");
}

const resultIdOf = (page) => new URL(page.url()).searchParams.get("resultId") ?? "";

// covers: R02 R10 R11 R12 R13 X02 X04 X05 P02 P03 P06 P07
journey("services", {}, async (scene) => {
  const { site } = scene;
  const folder = await mkdtemp(path.join(tmpdir(), "xuanlan-e2e-services-"));
  const person = await new Client(site).register("13911110002", "qinglianghua");
  const gears = await sample(folder, "gears", "行星齿轮组.glb", 20_000);
  const fileId = await putModel(person, gears);
  const context = await scene.context();
  await context.addCookies(person.cookies());
  const page = await scene.page(context);
  const expected = await check(gears);
  let lightened;

  await scene.step("the viewer draws the model", async () => {
    await page.goto(`${site.url}/workbench/myUpload`);
    await page.getByRole("link", { name: "行星齿轮组", exact: true }).click();
    const stage = page.getByRole("application", { name: /^三维查看/ });
    await stage.waitFor();
    await page.getByText(/正在载入|正在解析/).waitFor({ state: "detached", timeout: 60_000 });
    assert.equal(await stage.getByRole("alert").count(), 0);
    await drawn(page, stage.locator("canvas").first(), 200);
  });

  await scene.step("a moving picture is drawn fast, one at rest with smooth edges", async () => {
    const canvas = page
      .getByRole("application", { name: /^三维查看/ })
      .locator("canvas")
      .first();
    const element = await canvas.elementHandle();
    const smooth = () => page.waitForFunction((one) => one.width > 1.5 * one.clientWidth, element);
    await smooth();
    const moved = page.waitForFunction((one) => one.width <= one.clientWidth, element);
    const { x, y, width, height } = await canvas.boundingBox();
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    for (let i = 1; i <= 10; i += 1) await page.mouse.move(x + width / 2 + 12 * i, y + height / 2);
    await moved;
    await page.mouse.up();
    await page.mouse.move(4, 4);
    await smooth();
  });

  await scene.step("report numbers are the engine's", async () => {
    const facts = page.getByRole("region", { name: "模型信息" });
    await facts.getByRole("img", { name: `体检得分 ${expected.score}` }).waitFor();
    await facts.getByRole("tab", { name: "数据", exact: true }).click();
    const shown = await facts
      .locator("dl")
      .first()
      .evaluate((list) =>
        Object.fromEntries(
          [...list.children].map((row) => [
            row.querySelector("dt")?.textContent,
            row.querySelector("dd")?.textContent,
          ]),
        ),
      );
    const { statistics } = expected;
    assert.equal(shown.三角面, count(statistics.triangles));
    assert.equal(shown.顶点, count(statistics.vertices));
    assert.equal(shown.材质, count(statistics.materials));
    assert.equal(shown.贴图, count(statistics.textures));
    assert.equal(shown.网格, count(statistics.meshes));
    assert.match(await facts.textContent(), new RegExp(`动画 ${statistics.animations}`));
    await facts.getByRole("tab", { name: "材质", exact: true }).click();
    await facts.getByRole("heading", { name: `材质 ${statistics.materials}` }).waitFor();
    const detail = await person.call("X02", { fileId });
    assert.deepEqual(detail.report.statistics, statistics);
    assert.deepEqual(detail.report.boundingBox, expected.boundingBox);
  });

  await scene.step("viewer tools: wireframe changes the picture, screenshot saves one", async () => {
    const stage = page.getByRole("application", { name: /^三维查看/ });
    await stage.focus();
    const before = await stage.locator("canvas").first().screenshot();
    await stage.getByRole("button", { name: "线框", exact: true }).click();
    await page.mouse.move(4, 4);
    await changed(before, () => stage.locator("canvas").first().screenshot());
    await stage.getByRole("button", { name: "线框：叠加" }).click();
    const picture = await download(page, folder, () =>
      stage.getByRole("button", { name: "保存截图", exact: true }).click(),
    );
    assert.match(picture, /\.png$/);
  });

  await scene.step("lightweighting to a fifth, with progress (SV008)", async () => {
    await page.getByRole("link", { name: "轻量化", exact: true }).first().click();
    await page.getByRole("heading", { name: "模型服务", level: 1 }).waitFor();
    await page.getByText(exactly("行星齿轮组")).waitFor();
    await page.getByRole("button", { name: "均衡" }).click();
    await page.getByText(new RegExp(`三角面从 ${count(expected.statistics.triangles)} 减到约`)).waitFor();
    const submitted = await answered(page, "/service_result/submit", () =>
      page.getByRole("button", { name: "开始轻量化" }).click(),
    );
    assert.equal(submitted.resp_code, 60000, submitted.resp_msg);
    lightened = submitted.datas;
    await page.waitForURL(/serviceResult\/details/);
    assert.equal(resultIdOf(page), lightened);
    await waitDone(page);
    const progress = await person.call("X05", { resultId: lightened });
    assert.equal(progress.status, "done");
    assert.equal(progress.percent, 100);
    const detail = await person.call("R11", { resultId: lightened });
    const { input, output } = detail.report;
    assert.equal(input.triangles, expected.statistics.triangles);
    assert.ok(output.triangles > 0 && output.triangles <= input.triangles * 0.25, `${output.triangles}`);
    assert.ok(detail.fileSize < detail.sourceSize);
  });

  await scene.step("comparison under one camera", async () => {
    const stage = page.getByRole("application", { name: "轻量化前后对比" });
    await stage.waitFor();
    await stage
      .getByText(/正在载入/)
      .first()
      .waitFor({ state: "detached", timeout: 60_000 });
    assert.equal(await stage.getByRole("alert").count(), 0);
    await stage.getByText("原始模型", { exact: true }).waitFor();
    await stage.getByText("轻量后", { exact: true }).waitFor();
    await drawn(page, stage.locator("canvas").first(), 200);
    await stage.focus();
    await page.keyboard.press("z");
    const lens = stage.locator("[data-lens]");
    await drawn(page, lens, 20);
    const place = await lens.boundingBox();
    await page.keyboard.press("ArrowLeft");
    await page.waitForFunction(
      (x) => (document.querySelector("[data-lens]")?.getBoundingClientRect().x ?? x) < x,
      place.x,
    );
    await page.keyboard.press("Escape");
    await lens.waitFor({ state: "detached" });
    await stage.getByRole("slider", { name: "对比分界" }).focus();
    await page.keyboard.press("ArrowLeft");
    await stage.getByRole("button", { name: "并排对比" }).click();
    assert.equal(await stage.getByRole("slider", { name: "对比分界" }).count(), 0);
    await page
      .getByRole("table")
      .getByRole("row", { name: /三角面/ })
      .waitFor();
  });

  await scene.step("the download is what the store holds, and the engine reads it", async () => {
    const file = await download(page, folder, () => page.getByRole("button", { name: "下载结果" }).click());
    assert.match(path.basename(file), /\.glb$/);
    assert.equal(await sha256(file), await storeDigest(person, { resultId: lightened }));
    const detail = await person.call("R11", { resultId: lightened });
    assert.equal((await check(file)).statistics.triangles, detail.report.output.triangles);
    const source = await download(page, folder, async () => {
      await page.goto(`${site.url}/workbench/myUpload/sourceFile?fileId=${fileId}`);
      await page.getByRole("button", { name: "下载", exact: true }).click();
    });
    assert.equal(await sha256(source), await sha256(gears), "the source is unchanged");
  });

  await scene.step("conversion to OBJ, STL and PLY", async () => {
    // without repeated parts, which these formats would write out one by one
    const lamp = await sample(folder, "lamp", "台灯.glb", 3000);
    const lampId = await putModel(person, lamp);
    const plain = await check(lamp);
    for (const format of ["OBJ", "STL", "PLY"]) {
      await page.goto(`${site.url}/workbench/service?serviceName=convert&fileId=${lampId}`);
      await page.getByRole("button", { name: format, exact: true }).click();
      const submitted = await answered(page, "/service_result/submit", () =>
        page.getByRole("button", { name: "开始转换" }).click(),
      );
      assert.equal(submitted.resp_code, 60000, submitted.resp_msg);
      await waitDone(page);
      const file = await download(page, folder, () => page.getByRole("button", { name: "下载结果" }).click());
      const report = await check(file);
      assert.equal(report.format, format.toLowerCase());
      assert.equal(report.statistics.triangles, plain.statistics.triangles, format);
      assert.equal(await sha256(file), await storeDigest(person, { resultId: submitted.datas }));
    }
  });

  await scene.step("all results stand in the list; a deleted one is gone (SV011)", async () => {
    await page.goto(`${site.url}/workbench/serviceResult`);
    const rows = page.getByRole("list", { name: "服务结果" }).getByRole("listitem");
    await rows.nth(3).waitFor();
    assert.equal(await rows.count(), 4);
    await rows
      .filter({ hasText: "轻量化" })
      .getByText(/减少 \d+\.\d%/)
      .waitFor();
    const cards = await person.call("R10", { pageNo: 1, pageSize: 20 });
    assert.equal(cards.totalCount, 4);
    const row = rows.filter({ hasText: "转为 PLY" });
    await row.getByRole("button", { name: "删除" }).click();
    const gone = answered(page, "/service_result/delete", () =>
      page.getByRole("dialog").getByRole("button", { name: "删除", exact: true }).click(),
    );
    assert.equal((await gone).resp_code, 60000);
    await row.waitFor({ state: "detached" });
    assert.equal((await person.call("R10", { pageNo: 1, pageSize: 20 })).totalCount, 3);
  });

  await scene.step("the workbench counts it (AC014, AC016)", async () => {
    // Counts follow by event, a moment after the response to the deletion.
    const deadline = Date.now() + PATIENCE;
    let statistics = await person.call("P03");
    while (statistics.myServiceResults.totalCounts !== 3 && Date.now() < deadline) {
      await page.waitForTimeout(100);
      statistics = await person.call("P03");
    }
    assert.equal(statistics.myServiceResults.totalCounts, 3);
    assert.equal(statistics.myModelFiles.totalUploads, 2);
    const info = await person.call("P02");
    assert.ok(info.accountNumber, "the avatar's panel has an account number");
    await page.goto(`${site.url}/workbench`);
    await endTour(page);
    await page.getByRole("link", { name: "行星齿轮组" }).first().waitFor();
    await page.reload();
    await page.getByRole("link", { name: "行星齿轮组" }).first().waitFor();
    assert.equal(await person.call("P06", { location: 0 }), true, "the tour was read");
    assert.equal(await page.getByRole("button", { name: "跳过", exact: true }).count(), 0);
  });

  await rm(folder, { recursive: true, force: true });
});
