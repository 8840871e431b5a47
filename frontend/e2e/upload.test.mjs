/** The wizard of document 2 §2, §4, §5: straight to the store in 5 MB parts, check log by push, name, my uploads. */
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Client } from "./lib/client.mjs";
import { journey } from "./lib/journey.mjs";
import { check, sample, sha256, zipOfSize } from "./lib/models.mjs";
import { acting, answered, exactly, formOf } from "./lib/person.mjs";
import { chooser, finish, openWizard, uploadAndCheck, wizard } from "./lib/wizard.mjs";

const PART = 5_242_880;
const MIB = 1_048_576;
/** Where the installation's desktop client is: outside the product. */
const CLIENT = "https://files.xuanlan.test/xuanlan-client.exe";

/** Every part sent: its number. */
function watchParts(page, site) {
  const seen = { params: 0, parts: [], beforeParams: 0, hosts: new Set() };
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.pathname.endsWith("/getHuaweiParam")) seen.params += 1;
    if (request.method() !== "PUT" || !url.searchParams.has("partNumber")) return;
    if (seen.params === 0) seen.beforeParams += 1;
    seen.hosts.add(url.host);
    assert.notEqual(url.host, new URL(site.url).host, "parts go to the store, not through the gateway");
    const signed = request.headers().authorization ?? "";
    assert.match(signed, /^AWS4-HMAC-SHA256 Credential=/);
    seen.parts.push(Number(url.searchParams.get("partNumber")));
  });
  return seen;
}

async function partSizes(page, work) {
  const sizes = [];
  const hear = async (request) => {
    const url = new URL(request.url());
    if (request.method() !== "PUT" || !url.searchParams.has("partNumber")) return;
    // the browser's own count of sent bytes
    const headers = await request.allHeaders();
    sizes.push([Number(url.searchParams.get("partNumber")), Number(headers["content-length"])]);
  };
  const pending = [];
  const listen = (request) => pending.push(hear(request));
  page.on("requestfinished", listen);
  const result = await work();
  page.off("requestfinished", listen);
  await Promise.all(pending);
  sizes.sort((a, b) => a[0] - b[0]);
  return { sizes: sizes.map(([, size]) => size), result };
}

// covers: P39 P41 P44 P45 P47 R01 R02 R03 R04 R05 R06 R07 X01 X02 X03 X08 S01
journey("upload", { env: { XUANLAN__PERSONAL__CLIENT_URL: CLIENT } }, async (scene) => {
  const { site } = scene;
  const folder = await mkdtemp(path.join(tmpdir(), "xuanlan-e2e-models-"));
  const person = await new Client(site).register("13911110001", "shangchuan1");
  const context = await scene.context();
  await context.addCookies(person.cookies());
  const page = await scene.page(context);
  let lamp;
  let first;

  await scene.step(
    "refusals in the words of the specification (UP001, UP003, UP010, UP021, UP022, UP045, AM053)",
    async () => {
      const text = path.join(folder, "说明.txt");
      await writeFile(text, "不是模型");
      await openWizard(page, site);
      assert.deepEqual(await wizard(page).getByRole("tab").allTextContents(), ["单体模型", "倾斜摄影模型"]);
      await acting(page, "格式不支持", () => chooser(page).setInputFiles(text));
      await wizard(page).getByText(exactly("格式不支持")).waitFor();
      const denied = "文件格式不正确！仅支持.FBX,.OBJ,.STL,.ZIP,.RAR,.igs,.iges,.jt,.rvt,.stp,.step文件";
      await acting(page, denied, () => dropText(page));
      const empty = path.join(folder, "空.obj");
      await writeFile(empty, "");
      await acting(page, "文件选择错误，请联系管理员", () => chooser(page).setInputFiles(empty));
      await wizard(page).getByRole("tab", { name: "倾斜摄影模型" }).click();
      await chooser(page).waitFor({ state: "attached" });
      await acting(page, "文件格式不正确！仅支持.ZIP,.RAR文件", () => chooser(page).setInputFiles(text));
      await wizard(page).getByRole("tab", { name: "单体模型" }).click();
      await wizard(page).getByRole("button", { name: "支持的格式" }).click();
      const formats = page.getByRole("dialog", { name: "支持的格式" });
      await formats.getByRole("img", { name: /FBX|fbx/i }).waitFor();
      await formats.getByRole("button", { name: "知道了" }).click();
    },
  );

  await scene.step(
    "a model too large for a page is offered the desktop client of the settings (ST008)",
    async () => {
      assert.equal((await person.call("P41", {})).fileUrl, CLIENT);
      const installer = "the installer";
      await page.route(CLIENT, (route) =>
        route.fulfill({ body: installer, headers: { "content-disposition": "attachment" } }),
      );
      const large = path.join(folder, "大模型.obj");
      await writeFile(large, "");
      await truncate(large, 501 * MIB);
      await openWizard(page, site);
      await chooser(page).setInputFiles(large);
      const dialog = page.getByRole("dialog", { name: "建议使用桌面客户端" });
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        dialog.getByRole("link", { name: "下载客户端" }).click(),
      ]);
      assert.equal(download.url(), CLIENT);
      assert.equal(await readFile(await download.path(), "utf8"), installer);
      await dialog.getByRole("button", { name: "关闭" }).click();
      // while any route is active, requests do not report the sizes that the browser sent
      await page.unroute(CLIENT);
      await rm(large);
    },
  );

  await scene.step(
    "a GLB: upload, check log by push, name, my uploads (UP023, UP024, UP026, UP028, UP047, UP048, CK012)",
    async () => {
      lamp = await sample(folder, "lamp", "胡桃木台灯与它的灯泡和电线组合样品.glb", 4000);
      let polls = 0;
      page.on("request", (request) => {
        if (request.url().endsWith("/get_model_status")) polls += 1;
      });
      await openWizard(page, site);
      const { fileId, form } = await uploadAndCheck(page, lamp);
      first = fileId;
      for (const name of [
        "userId",
        "fileName",
        "fileSize",
        "fileUrl",
        "format",
        "bucketName",
        "fileSource",
        "modelType",
        "origin",
      ]) {
        assert.ok(form[name] !== undefined && form[name] !== "", `model_checking carries ${name}`);
      }
      assert.ok(form.fileUrl.startsWith(`${form.bucketName}/u/${person.loginId}/`), form.fileUrl);
      const lines = await wizard(page).getByRole("list", { name: "体检日志" }).getByRole("listitem").count();
      assert.ok(lines >= 2, `${lines} log lines`);
      // The page asks on connecting, and again if the first line is slow.
      assert.ok(polls <= 2, `${polls} polls while push is up`);
      await wizard(page).getByRole("button", { name: "下一步：填写名称" }).click();
      const field = wizard(page).getByLabel("模型名称");
      assert.equal(
        await field.inputValue(),
        "胡桃木台灯与它的灯泡和电线组合",
        "the first fifteen characters",
      );
      await field.fill("");
      await wizard(page).getByText(exactly("模型名称不能为空")).waitFor();
      await acting(page, "请先完善表单信息", () =>
        wizard(page).getByRole("button", { name: "完成", exact: true }).click(),
      );
      await field.fill("一二三四五六七八九十一二三四五六");
      await wizard(page).getByText(exactly("长度在 1 到 15 个字符")).waitFor();
      await field.fill("胡桃木台灯");
      const labels = wizard(page).getByRole("group", { name: "标签" }).getByRole("button");
      await labels.first().click();
      const label = (await labels.first().textContent()).trim();
      const [release] = await Promise.all([
        page.waitForRequest((r) => r.url().endsWith("/model_release")),
        wizard(page).getByRole("button", { name: "完成", exact: true }).click(),
      ]);
      const released = formOf(release);
      for (const name of ["userId", "fileId", "modelName", "modelType", "fileSource"]) {
        assert.ok(released[name], `model_release carries ${name}`);
      }
      await page.getByRole("link", { name: "胡桃木台灯", exact: true }).waitFor();
      const detail = await person.call("X02", { fileId });
      assert.equal(detail.sha256, await sha256(lamp));
      assert.equal(detail.modelName, "胡桃木台灯");
      assert.equal(detail.released, true);
      const [category] = await person.call("R05", { cateType: "model" });
      const known = await person.call("R06", { parentId: category.id });
      assert.deepEqual(
        detail.labelIds,
        known.filter((one) => one.name === label).map((one) => one.id),
      );
    },
  );

  await scene.step("12 MB cross the wire to the store as parts of 5, 5 and 2 (ST001, ST002)", async () => {
    const models = [await sample(folder, "vase", "花瓶.stl", 1500)];
    const large = await zipOfSize(path.join(folder, "扫描花瓶.zip"), models, 12 * MIB);
    await openWizard(page, site);
    const seen = watchParts(page, site);
    const { sizes, result } = await partSizes(page, () => uploadAndCheck(page, large));
    assert.deepEqual(sizes, [PART, PART, 12 * MIB - 2 * PART]);
    assert.equal(seen.params >= 1 && seen.beforeParams === 0, true, "parameters come before the first part");
    assert.equal((await person.call("X02", { fileId: result.fileId })).sha256, await sha256(large));
    await finish(page);
  });

  await scene.step("OBJ with MTL and textures in a zip, STL, PLY, glTF", async () => {
    for (const [kind, name, format] of [
      ["pagoda", "宝塔.zip", "obj"],
      ["gears", "齿轮.stl", "stl"],
      ["molecule", "分子.ply", "ply"],
      ["robot-arm", "机械臂.gltf", "gltf"],
    ]) {
      const file = await sample(folder, kind, name, 2500);
      await openWizard(page, site);
      const { fileId } = await uploadAndCheck(page, file);
      await finish(page);
      const detail = await person.call("X02", { fileId });
      const expected = await check(file);
      assert.equal(detail.status, "ready");
      assert.equal(detail.report.format, format, name);
      assert.deepEqual(detail.report.statistics, expected.statistics, name);
      assert.equal(detail.sha256, await sha256(file), name);
    }
    const list = page.getByRole("list", { name: "源文件" });
    for (const name of ["宝塔", "齿轮", "分子", "机械臂"]) {
      await list.getByRole("link", { name, exact: true }).waitFor();
    }
  });

  await scene.step("a damaged model ends the check with an error and can be tried again", async () => {
    const broken = path.join(folder, "坏模型.glb");
    await writeFile(broken, Buffer.from("glTF\x02\x00\x00\x00\xff\xff\xff\x7f broken", "latin1"));
    await openWizard(page, site);
    const [request] = await Promise.all([
      page.waitForRequest((r) => r.url().endsWith("/model_checking")),
      chooser(page).setInputFiles(broken),
    ]);
    const fileId = (await (await request.response()).json()).datas;
    await wizard(page).getByText("体检未通过", { exact: true }).waitFor({ timeout: 60_000 });
    await wizard(page).getByRole("alert").first().waitFor();
    const again = await answered(page, "/upload_model_file/retry", () =>
      wizard(page).getByRole("button", { name: "重试" }).click(),
    );
    assert.equal(again.resp_code, 60000);
    await wizard(page).getByText("体检未通过", { exact: true }).waitFor({ timeout: 60_000 });
    await wizard(page).getByRole("button", { name: "前往我的上传" }).click();
    await wizard(page).waitFor({ state: "hidden" });
    const row = page.getByRole("listitem").filter({ hasText: "坏模型" });
    await row.getByText("体检未通过").waitFor();
    await row.getByRole("button", { name: /更多操作$/ }).click();
    await page.getByRole("menuitem", { name: "删除" }).click();
    await acting(page, "已删除", () =>
      page.getByRole("dialog", { name: "删除源文件？" }).getByRole("button", { name: "删除" }).click(),
    );
    await row.waitFor({ state: "detached" });
    assert.notEqual((await person.answer("X02", { fileId })).resp_code, 60000);
  });

  await scene.step("reloaded in the middle: only the missing parts cross the wire again", async () => {
    const models = [await sample(folder, "gears", "行星齿轮.stl", 1500)];
    const size = 32 * MIB;
    const large = await zipOfSize(path.join(folder, "齿轮箱.zip"), models, size);
    const total = Math.ceil(size / PART);
    await openWizard(page, site);
    // Two parts arrive; the others are held until the page has unloaded.
    let passed = 0;
    const isPart = (url) => url.searchParams.has("partNumber") && url.searchParams.has("uploadId");
    await page.route(isPart, async (route) => {
      if (route.request().method() !== "PUT") return route.continue();
      passed += 1;
      if (passed <= 2) return route.continue();
    });
    await chooser(page).setInputFiles(large);
    await page.waitForFunction(
      ({ key, least }) => {
        const records = JSON.parse(localStorage.getItem(key) ?? "[]");
        return records.some((record) => record.confirmed >= least);
      },
      { key: `xuanlan.uploads.${person.loginId}`, least: 2 * PART },
    );
    page.once("dialog", (dialog) => dialog.accept());
    // reload first: the held requests must die with the page, not be let through
    await page.reload();
    await page.unrouteAll({ behavior: "ignoreErrors" });
    // the address opens the wizard: it shows what the reload left, not an empty one over its row
    const unfinished = wizard(page).getByRole("region", { name: "未完成的上传" });
    await unfinished.getByText("齿轮箱.zip").waitFor();
    await unfinished.getByText(/已上传 \d+%/).waitFor();
    const seen = watchParts(page, site);
    const [request] = await Promise.all([
      page.waitForRequest((r) => r.url().endsWith("/model_checking"), { timeout: 60_000 }),
      unfinished.getByLabel("选择 齿轮箱.zip 续传").setInputFiles(large),
    ]);
    assert.equal(seen.parts.length, total - 2, `parts ${seen.parts} of ${total}`);
    assert.equal(new Set(seen.parts).size, seen.parts.length, "none twice");
    const fileId = (await (await request.response()).json()).datas;
    await wizard(page).getByText("体检完成", { exact: true }).waitFor({ timeout: 120_000 });
    assert.equal((await person.call("X02", { fileId })).sha256, await sha256(large));
    await finish(page);
  });

  await scene.step(
    "pause and go on; closing during the check leaves it in the background (CK015, CK016)",
    async () => {
      const models = [await sample(folder, "bridge", "斜拉桥.stl", 1500)];
      const large = await zipOfSize(path.join(folder, "大桥.zip"), models, 24 * MIB);
      await openWizard(page, site);
      const isPart = (url) => url.searchParams.has("partNumber");
      let held = [];
      await page.route(isPart, (route) => {
        held.push(route);
      });
      await chooser(page).setInputFiles(large);
      await wizard(page).getByText("正在上传", { exact: true }).waitFor();
      await wizard(page).getByRole("button", { name: "暂停" }).click();
      await wizard(page).getByText("已暂停").waitFor();
      await page.unrouteAll({ behavior: "ignoreErrors" });
      await Promise.allSettled(held.map((route) => route.abort()));
      held = [];
      // The check may take no longer than two polls from here, so the page itself closes the wizard when it appears.
      const closed = page.waitForFunction(() => {
        const dialog = document.querySelector('[role="dialog"]');
        if (!dialog?.textContent?.match(/等待体检|正在体检/)) return false;
        dialog.querySelector('[aria-label="关闭"]').click();
        return true;
      });
      const [{ datas: fileId }] = await Promise.all([
        answered(page, "/model_checking", () =>
          acting(page, "已转入后台处理，完成后可在“我的上传”查看结果", () =>
            wizard(page).getByRole("button", { name: "继续上传" }).click(),
          ),
        ),
        closed,
      ]);
      await wizard(page).waitFor({ state: "hidden" });
      await page.getByRole("link", { name: "大桥", exact: true }).waitFor({ timeout: 120_000 });
      assert.equal((await person.call("X02", { fileId })).sha256, await sha256(large));
    },
  );

  await scene.step("the list finds by name, renames and survives a reload", async () => {
    await page.goto(`${site.url}/workbench/myUpload`);
    await page.getByLabel("按名称搜索").fill("胡桃木");
    await page.getByLabel("按名称搜索").press("Enter");
    const rows = page.getByRole("list", { name: "源文件" }).getByRole("link", { name: "胡桃木台灯" });
    await rows.waitFor();
    await page.getByText("共 1 条").waitFor();
    await page.getByRole("button", { name: "胡桃木台灯：更多操作" }).click();
    await page.getByRole("menuitem", { name: "重命名" }).click();
    const dialog = page.getByRole("dialog", { name: "编辑源文件" });
    await dialog.getByLabel("模型名称").fill("书房台灯");
    await acting(page, "已保存", () => dialog.getByRole("button", { name: "保存" }).click());
    await page.goto(`${site.url}/workbench/myUpload?keyword=${encodeURIComponent("书房")}`);
    await page.getByRole("link", { name: "书房台灯", exact: true }).waitFor();
    const list = await person.call("X01", { keyword: "书房", pageNo: 1, pageSize: 20 });
    assert.deepEqual(
      list.results.map((file) => file.fileId),
      [first],
    );
  });

  await rm(folder, { recursive: true, force: true });
});

/** Drops a text file on the zone, as the browser would hand it over. */
async function dropText(page) {
  const data = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(["x"], "说明.txt", { type: "text/plain" }));
    return transfer;
  });
  await wizard(page).getByText("把文件拖到这里，或点击选择").dispatchEvent("drop", { dataTransfer: data });
}
