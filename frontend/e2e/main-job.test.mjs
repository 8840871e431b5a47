/** The main job from end to end, as the gate knows it: a model is uploaded, checked, looked at, lightened and downloaded. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Client } from "./lib/client.mjs";
import { journey } from "./lib/journey.mjs";
import { check, sample, sha256 } from "./lib/models.mjs";
import { answered, download, exactly, waitDone } from "./lib/person.mjs";
import { drawn } from "./lib/pictures.mjs";
import { finish, openWizard, uploadAndCheck } from "./lib/wizard.mjs";

// covers: R02 R11 R13 X01 X02 X03 X04
journey("main job", {}, async (scene) => {
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
    const facts = page.getByRole("complementary", { name: "模型信息" });
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
});
