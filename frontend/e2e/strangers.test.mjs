/** Another user finds nothing of the first one's: neither in the page nor by calls with the first one's ids. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Client } from "./lib/client.mjs";
import { journey, WORK_MS } from "./lib/journey.mjs";
import { sample } from "./lib/models.mjs";
import { putModel, request, storeKeys } from "./lib/store.mjs";

const SUCCESS = 60000;
/** The code for a call that names another user as its owner. */
const NOT_YOURS = 60403;

/** Waits for a result by its progress. */
async function finished(person, resultId) {
  const until = Date.now() + WORK_MS;
  while (Date.now() < until) {
    const { status, tips } = await person.call("X05", { resultId });
    if (status === "done") return;
    if (status === "failed") throw new Error(tips);
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  throw new Error("the service did not end in time");
}

// covers: P03 X01 X02 X04 X05 R13
journey("strangers", {}, async (scene) => {
  const { site } = scene;
  const folder = await mkdtemp(path.join(tmpdir(), "xuanlan-e2e-strangers-"));
  const owner = await new Client(site).register("13911110003", "zhuren-01");
  const other = await new Client(site).register("13911110004", "luren-002");
  const model = await sample(folder, "lens-cube", "镜方.glb", 2000);
  const fileId = await putModel(owner, model);
  const resultId = await owner.call("X04", {
    fileId,
    serviceType: "convert",
    params: JSON.stringify({ format: "stl" }),
  });
  await finished(owner, resultId);
  const context = await scene.context();
  await context.addCookies(other.cookies());
  const page = await scene.page(context);

  await scene.step("their pages are empty", async () => {
    await page.goto(`${site.url}/workbench/myUpload`);
    await page.getByText("还没有上传过模型").waitFor();
    await page.goto(`${site.url}/workbench/serviceResult`);
    await page.getByText("还没有服务结果").waitFor();
    assert.equal((await other.call("X01", { pageNo: 1, pageSize: 20 })).totalCount, 0);
    assert.equal((await other.call("R10", { pageNo: 1, pageSize: 20 })).totalCount, 0);
    assert.equal((await other.call("P03")).myModelFiles.totalUploads, 0);
  });

  await scene.step("addresses with the first one's ids show nothing", async () => {
    await page.goto(`${site.url}/workbench/myUpload/sourceFile?fileId=${fileId}`);
    await page.getByText("文件没有读取成功").waitFor();
    await page.goto(`${site.url}/workbench/serviceResult/details?resultId=${resultId}`);
    await page.getByText("结果没有读取成功").waitFor();
    await page.goto(`${site.url}/workbench/service?fileId=${fileId}`);
    await page.getByText("这个模型没有读取成功，可能已被删除。").waitFor();
    assert.equal((await page.content()).includes("镜方"), false);
  });

  const stolen = [
    ["X02", { fileId }],
    ["X03", { fileId }],
    ["X08", { fileId }],
    ["R03", { fileId, modelName: "我的" }],
    ["R04", { fileId, modelName: "我的", modelType: 1, fileSource: "web" }],
    ["R07", { id: fileId, type: "CHECK" }],
    ["R13", { fileId }],
    ["R13", { resultId }],
    ["R11", { resultId }],
    ["R12", { resultId }],
    ["X05", { resultId }],
    ["X04", { fileId, serviceType: "convert", params: JSON.stringify({ format: "stl" }) }],
  ];

  await scene.step("calls with the first one's ids are refused", async () => {
    for (const [id, form] of stolen) {
      const answer = await other.answer(id, form);
      assert.notEqual(answer.resp_code, SUCCESS, `${id} let a stranger in`);
      assert.equal(JSON.stringify(answer).includes("镜方"), false, `${id} tells the file's name`);
      const missing = await other.answer(id, {
        ...form,
        ...("fileId" in form && { fileId: "0".repeat(fileId.length) }),
        ...("resultId" in form && { resultId: "0".repeat(resultId.length) }),
        ...("id" in form && { id: "0".repeat(fileId.length) }),
      });
      assert.notEqual(missing.resp_code, SUCCESS, id);
    }
    const list = await other.call("R10", { pageNo: 1, pageSize: 20, fileId });
    assert.equal(list.totalCount, 0);
  });

  await scene.step("naming the first one as the owner is refused, not replaced", async () => {
    const as = { userId: owner.loginId };
    for (const [id, form] of [["X01", {}], ["P01", {}], ["P14", {}], ["A17", {}], ...stolen]) {
      const answer = await other.answer(id, { ...form, ...as });
      assert.equal(answer.resp_code, NOT_YOURS, `${id} answered ${answer.resp_code}`);
    }
  });

  await scene.step("nor does the store give or take anything of the first one's", async () => {
    const detail = await owner.call("X02", { fileId });
    const url = new URL(await owner.call("R13", { fileId }));
    const keys = await storeKeys(other);
    const key = decodeURIComponent(url.pathname).replace(`/${keys.bucket}/`, "");
    assert.ok(key.startsWith(`s/${owner.loginId}/`), "out of the reach of temporary keys");
    assert.equal((await request(keys, "GET", key)).status, 403);
    assert.equal((await request(keys, "PUT", key, Buffer.from("x"))).status, 403);
    assert.equal((await request(keys, "DELETE", key)).status, 403);
    assert.equal((await fetch(`${url.origin}${url.pathname}`)).status, 403, "without a signature");
    url.searchParams.set("X-Amz-Expires", "604800");
    assert.equal((await fetch(url)).status, 403, "a signed address cannot be stretched");
    const check = await other.answer("R02", {
      fileName: "偷.glb",
      fileSize: detail.fileSize,
      fileUrl: `${keys.bucket}/${key}`,
      format: "glb",
      bucketName: keys.bucket,
      fileSource: "web",
      modelType: 1,
      origin: 0,
    });
    assert.notEqual(check.resp_code, SUCCESS, "another's object cannot be taken for a check");
  });

  await scene.step("the first one's things are as they were", async () => {
    const detail = await owner.call("X02", { fileId });
    assert.equal(detail.status, "ready");
    assert.equal(detail.released, false);
    const bytes = Buffer.from(await (await fetch(await owner.call("R13", { fileId }))).arrayBuffer());
    assert.equal(createHash("sha256").update(bytes).digest("hex"), detail.sha256);
    assert.equal((await owner.call("R11", { resultId })).status, "done");
  });

  await scene.step("a person without a token is told to sign in", async () => {
    const nobody = new Client(site);
    for (const [id, form] of stolen) {
      const answer = await nobody.answer(id, { ...form, userId: owner.loginId });
      assert.equal(answer.status, 401, `${id} answered ${answer.status} ${answer.resp_code}`);
    }
  });

  await rm(folder, { recursive: true, force: true });
});
