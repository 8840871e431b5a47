/** AMRT and the offline package: made, viewed, downloaded, and opened from the disk without a network. Document 2 §6. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { Client } from "./lib/client.mjs";
import { journey } from "./lib/journey.mjs";
import { check, sample } from "./lib/models.mjs";
import { answered, download, waitDone } from "./lib/person.mjs";
import { brightPart, changed, drawn } from "./lib/pictures.mjs";
import { putModel } from "./lib/store.mjs";

const count = (number) => number.toLocaleString("zh-CN");

const downloadResult = (page, folder) =>
  download(page, folder, () => page.getByRole("button", { name: "下载结果" }).click());

// covers: R10 R11 R13 X04
// rows SV001 SV003: 限时免费 and 不限次数 on the service page
journey("packages", {}, async (scene) => {
  const { site } = scene;
  const folder = await mkdtemp(path.join(tmpdir(), "xuanlan-e2e-packages-"));
  const person = await new Client(site).register("13911110010", "lixianbao");
  const arm = await sample(folder, "robot-arm", "六轴机械臂.glb", 60_000);
  const expected = await check(arm);
  const fileId = await putModel(person, arm);
  const context = await scene.context();
  await context.addCookies(person.cookies());
  const page = await scene.page(context);
  const stage = page.getByRole("application", { name: /^三维查看/ });
  const service = (name) => `${site.url}/workbench/service?fileId=${fileId}&serviceName=${name}`;

  const submit = async (button) => {
    const start = page.getByRole("button", { name: button });
    const submitted = await answered(page, "/service_result/submit", () => start.click());
    assert.equal(submitted.resp_code, 60000, submitted.resp_msg);
    await waitDone(page);
    await stage.waitFor();
    await page.getByText(/正在载入|正在解析/).waitFor({ state: "detached", timeout: 60_000 });
    assert.equal(await stage.getByRole("alert").count(), 0);
    await drawn(page, stage.locator("canvas").first(), 200);
  };

  await scene.step("AMRT is offered free and without limit", async () => {
    await page.goto(service("amrt"));
    const card = page.getByRole("radio", { name: /^AMRT 文件/ });
    await card.and(page.locator('[aria-checked="true"]')).waitFor();
    await page.getByRole("complementary", { name: "提交" }).getByText("限时免费").waitFor();
    await page.getByText("不限次数").waitFor();
    await page.getByText(/三角面一个不少；贴图转为 WebP/).waitFor();
  });

  await scene.step("AMRT is made and drawn", () => submit("开始生成"));

  await scene.step("the AMRT holds the whole model", async () => {
    const file = await downloadResult(page, folder);
    assert.match(path.basename(file), /^六轴机械臂-AMRT\.amrt$/);
    const report = await check(file);
    assert.equal(report.format, "amrt");
    assert.equal(report.statistics.triangles, expected.statistics.triangles);
    assert.equal(report.statistics.animations, expected.statistics.animations);
    assert.equal(report.statistics.nodes, expected.statistics.nodes);
    const { results } = await person.call("R10", { pageNo: 1, pageSize: 20 });
    assert.ok(results[0].fileSize * 2 < expected.fileSize, "smaller than half of the source");
  });

  await scene.step("the offline package is offered free and without limit", async () => {
    await page.goto(service("lightweight"));
    const card = page.getByRole("radio", { name: /^离线包/ });
    await card.click();
    await page.getByRole("complementary", { name: "提交" }).getByText("限时免费").waitFor();
    await page.getByText("不限次数").waitFor();
    await page.getByText(/双击 index\.html/).waitFor();
  });

  await scene.step("the offline package is made and shown", async () => {
    await submit("开始打包");
    await page.getByRole("heading", { name: "怎么打开" }).waitFor();
  });

  let opened;
  const requests = [];
  await scene.step("the package opens from the disk, with no network", async () => {
    const file = await downloadResult(page, folder);
    assert.match(path.basename(file), /^六轴机械臂-离线包\.zip$/);
    const out = path.join(folder, "opened");
    await promisify(execFile)("python3", ["-m", "zipfile", "-e", file, out]);
    assert.deepEqual((await readdir(out)).sort(), ["LICENSES.txt", "index.html", "使用说明.txt"]);
    const away = await scene.context({ offline: true });
    away.on("request", (request) => requests.push(request.url()));
    opened = await scene.page(away);
    await opened.goto(pathToFileURL(path.join(out, "index.html")).href);
    await opened.locator('html[data-phase="ready"]').waitFor({ state: "attached", timeout: 60_000 });
    assert.equal(await opened.title(), "六轴机械臂");
    await opened.getByRole("heading", { name: "六轴机械臂", level: 1 }).waitFor();
    const facts = opened.getByRole("complementary", { name: "模型数据" });
    await facts.getByText(count(expected.statistics.materials), { exact: true }).first().waitFor();
  });

  await scene.step("its model is drawn, turns, plays and shows its edges", async () => {
    const canvas = opened.locator("canvas");
    const picture = () => canvas.screenshot();
    // on black, so that bright pixels belong to the model
    await opened.getByRole("button", { name: "背景" }).click();
    const light = await brightPart(opened, canvas);
    await opened.getByRole("button", { name: "背景" }).click();
    const black = await brightPart(opened, canvas);
    assert.ok(black > 0.03, `${black} of the middle is bright on black`);
    assert.ok(light > black + 0.2, `${light} on a light ground, ${black} on black`);
    let before = await picture();
    await opened.getByRole("button", { name: "线框" }).click();
    await changed(before, picture);
    before = await picture();
    await opened.getByRole("button", { name: "播放" }).click();
    await changed(before, picture);
    await opened.getByRole("button", { name: "暂停" }).click();
    before = await picture();
    await canvas.hover();
    await opened.mouse.wheel(0, -400);
    await changed(before, picture);
  });

  await scene.step("nothing was asked of any network", async () => {
    const outside = requests.filter((url) => !/^(file|blob|data):/.test(url));
    assert.deepEqual(outside, []);
    assert.equal(requests.filter((url) => url.startsWith("file:")).length, 1, requests.join("\n"));
    assert.deepEqual(opened.problems, []);
    assert.deepEqual(page.problems, []);
  });

  await rm(folder, { recursive: true, force: true });
});
