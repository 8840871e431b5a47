/** An oblique photogrammetry delivery becomes a tileset: upload, check, service, viewer, download. Document 2 §2 and §6. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { Client } from "./lib/client.mjs";
import { journey, WORK_MS } from "./lib/journey.mjs";
import { sample } from "./lib/models.mjs";
import { answered } from "./lib/person.mjs";
import { drawn } from "./lib/pictures.mjs";

// covers: R02 R11 R13 X01 X04
journey("tiles", {}, async (scene) => {
  const { site } = scene;
  const folder = await mkdtemp(path.join(tmpdir(), "xuanlan-e2e-tiles-"));
  const person = await new Client(site).register("13911110009", "qingxiesheying");
  const city = await sample(folder, "oblique-city", "滨江片区.zip", 20_000);
  const context = await scene.context();
  await context.addCookies(person.cookies());
  const page = await scene.page(context);
  const wizard = page.getByRole("dialog", { name: "上传模型" });

  await scene.step("an oblique delivery is uploaded and checked", async () => {
    await page.goto(`${site.url}/workbench/myUpload`);
    await page.getByRole("button", { name: "上传模型" }).first().click();
    await wizard.getByRole("tab", { name: "倾斜摄影模型" }).click();
    const chooser = wizard.locator('input[type="file"]');
    await chooser.waitFor({ state: "attached" });
    await chooser.setInputFiles(city);
    await wizard.getByText("体检完成", { exact: true }).waitFor({ timeout: WORK_MS });
    await wizard.getByRole("button", { name: "下一步：填写名称" }).click();
    await wizard.getByRole("group", { name: "标签" }).getByRole("button").first().waitFor();
    await wizard.getByRole("button", { name: "完成", exact: true }).click();
    await wizard.waitFor({ state: "hidden" });
    await page.getByRole("link", { name: "滨江片区", exact: true }).waitFor();
  });

  await scene.step("the service makes a tileset and shows it", async () => {
    const { results } = await person.call("X01", { pageNo: 1, pageSize: 20 });
    await page.goto(`${site.url}/workbench/service?fileId=${results[0].fileId}&serviceName=lightweight`);
    // lightweighting for single models is not offered for a scene
    await page.getByRole("radio", { name: /单体轻量化/ }).waitFor({ state: "detached" });
    const start = page.getByRole("button", { name: "开始生成" });
    const submitted = await answered(page, "/service_result/submit", () => start.click());
    assert.equal(submitted.resp_code, 60000, submitted.resp_msg);
    await page.getByRole("button", { name: "下载结果" }).waitFor({ timeout: WORK_MS });
    const stage = page.getByRole("application", { name: /^三维瓦片查看/ });
    await stage.waitFor();
    await stage.getByText(/画面 [1-9]\d* 块/).waitFor({ timeout: 60_000 });
    await drawn(page, stage.locator("canvas").first(), 100);
  });

  await scene.step("the download is a whole tileset", async () => {
    const [event] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "下载结果" }).click(),
    ]);
    const file = path.join(folder, "tileset.zip");
    await event.saveAs(file);
    assert.ok((await stat(file)).size > 0);
    const { stdout } = await promisify(execFile)("python3", ["-m", "zipfile", "-l", file]);
    assert.match(stdout, /^tileset\.json/m);
    assert.match(stdout, /\.glb/);
  });

  assert.deepEqual(page.problems, []);
  await rm(folder, { recursive: true, force: true });
});
