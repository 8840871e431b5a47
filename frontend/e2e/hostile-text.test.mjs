/** Hostile text through every input field: wherever it is shown it is text, on the site and in the console. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { Client } from "./lib/client.mjs";
import { HOSTILE, HOSTILE_NAMES, watch } from "./lib/hostile.mjs";
import { journey } from "./lib/journey.mjs";
import { sample } from "./lib/models.mjs";
import { enrol, operatorLink, signIn } from "./lib/operators.mjs";
import { binary } from "./lib/site.mjs";
import { NARROW, tooWide, WIDE } from "./lib/sound.mjs";
import { putFile, putModel } from "./lib/store.mjs";

const PASSWORD = "qingci-01";
const ALL = HOSTILE.join("\n");
/** The forms of certification also refuse angle brackets. */
const COMPANY = `" onmouseover="hit()" x="=1+1 {{hit()}} 有限公司`;
const FILE = `=1+1"><img src=x onerror=hit()>.glb`;

/** Splits the texts into parts of at most `most` characters. */
function portions(most) {
  const all = [""];
  for (const text of HOSTILE) {
    if (all.at(-1).length + text.length + 1 > most) all.push("");
    all[all.length - 1] = `${all.at(-1)}${text}\n`.trimStart();
  }
  return all.map((text) => text.trim());
}

// covers: A11 A14 P33 P38 U01 X37 X62
journey("hostile text", {}, async (scene) => {
  const { site } = scene;
  const folder = await mkdtemp(path.join(tmpdir(), "xuanlan-e2e-hostile-"));
  const operator = async (...words) => {
    const env = { ...process.env, XUANLAN__DATA__DIR: site.data };
    return (await promisify(execFile)(binary(), ["personal", ...words], { env })).stdout.trim();
  };
  const person = new Client(site);
  const others = HOSTILE_NAMES.map(() => new Client(site));
  const context = await scene.context();
  const page = await scene.page(context);
  const desk = await scene.page();
  const found = [];
  let app;

  await scene.step("every field takes it as text or refuses it in words", async () => {
    await Promise.all([person, ...others].map((one, index) => one.register(`1391234570${index}`, PASSWORD)));
    for (const location of [0, 1]) await person.call("P07", { location });
    for (const [index, one] of others.entries()) {
      const introduce = portions(200)[index];
      await one.call("A11", { nickname: HOSTILE_NAMES[index], introduce });
      await one.call("P33", { operation: "follow", targetId: person.loginId });
      await person.call("P33", { operation: "follow", targetId: one.loginId });
    }
    await person.call("A11", { nickname: HOSTILE_NAMES[0], introduce: portions(200)[3] });
    for (const feedbackContent of portions(2000))
      await person.call("P38", { feedbackType: 0, feedbackContent, feedbackEnd: 0 });
    for (const content of portions(1000))
      await person.call("X62", { content, clientId: crypto.randomUUID() });
    await putModel(person, await sample(folder, "lens-cube", FILE, 500));

    // Invalid names and addresses get an error message, never a server error.
    for (const text of HOSTILE) {
      const refused = [
        ["A11", { username: text }],
        ["U01", { uid: person.loginId, invitedcode: text }],
        ["A15", { realName: text, idCard: text, idCardFront: text, idCardBack: text }],
        ["X37", { direction: text, introduce: text, website: text }],
        ["A14", { interest: text, registerPurpose: text }],
        ["P33", { operation: "follow", accountNumber: text }],
      ];
      for (const answer of await Promise.all(refused.map(([id, form]) => person.answer(id, form)))) {
        assert.ok(answer.status < 500, `${answer.status} ${text}`);
        assert.notEqual(answer.resp_code, 60000, text);
        assert.ok(!/<|hit|evil/.test(answer.resp_msg), `a refusal repeats it: ${answer.resp_msg}`);
      }
    }
  });

  await scene.step("a company's name, and what operators write back", async () => {
    // Enrols now, so that the app shows another code by the time of signing in.
    app = await enrol(desk, await operatorLink(site, "anna"));
    await page.goto(`${site.url}/siteMap`);
    const data = await page.evaluate(() => {
      const canvas = Object.assign(document.createElement("canvas"), { width: 856, height: 540 });
      canvas.getContext("2d").fillRect(80, 80, 300, 200);
      return canvas.toDataURL("image/png").split(",")[1];
    });
    const stored = await putFile(others[0], "license.png", Buffer.from(data, "base64"));
    await others[0].call("A16", {
      companyName: COMPANY,
      creditCode: "91350100M000100Y43",
      businessLicense: stored.fileUrl,
      legalPerson: "李四",
      contactPhone: "0591-87654321",
    });
    const file = path.join(folder, "announcement.json");
    await writeFile(file, JSON.stringify({ title: HOSTILE[3], content: ALL, link: "" }));
    await operator("publication", "publish", "announcement", file, "--by", "anna");
    const id = (await operator("feedback", "list"))
      .split("\n")
      .map((line) => line.split("\t"))
      .find(([, , loginId]) => loginId === person.loginId)[0];
    await operator("feedback", "answer", id, ALL.slice(0, 2000), "--by", HOSTILE[2]);
    await operator("chat", "answer", person.loginId, ALL.slice(0, 1000), "--by", HOSTILE[2]);
  });

  /** Opens a page, waits for `needle`, checks it at both sizes, and collects findings. */
  const look = async (address, needle, tell) => {
    if (page.url().startsWith(site.url)) {
      // like a link of the running page
      await page.evaluate((to) => {
        history.pushState(null, "", to);
        dispatchEvent(new PopStateEvent("popstate", { state: null }));
      }, address);
    } else await page.goto(`${site.url}${address}`);
    await page.getByText(needle).first().waitFor();
    await page.waitForFunction(() => !document.querySelector(".MuiSkeleton-root"));
    for (const size of [NARROW, WIDE]) {
      await page.setViewportSize(size);
      const over = await tooWide(page);
      if (over > 0) found.push(`${address} is ${over} px too wide at ${size.width}`);
    }
    found.push(...(await tell()));
  };

  await scene.step(
    "the pages that show it",
    async () => {
      const tell = await watch(page);
      await context.addCookies(person.cookies());
      await page.goto("about:blank");
      await look("/workbench/myMessage", HOSTILE_NAMES[1], tell);
      await look("/workbench/myMessage/announcement", HOSTILE[3], tell);
      await look("/workbench/myMessage/modelProcessing", FILE, tell);
      await look("/workbench/account/myConcern", HOSTILE_NAMES[4], tell);
      await look("/workbench/account/myConcern?tab=fans", HOSTILE_NAMES[2], tell);
      // The name is truncated there; the previous page shows it in full.
      await look("/workbench/account", portions(200)[3].split("\n")[0], tell);
      await look("/workbench/account/accountManagement", "个人资料", tell);
      await look("/workbench/myUpload", FILE, tell);
      await look("/workbench", FILE, tell);
      await look("/siteMap", "网站地图", tell);
      await page.getByRole("button", { name: "反馈问题与建议" }).click();
      await page.getByRole("tab", { name: "我的反馈" }).click();
      await page.getByText("客服回复").first().waitFor();
      await page.getByText(HOSTILE[2]).first().waitFor();
      found.push(...(await tell()));
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "在线客服" }).click();
      await page.getByRole("log").getByText(HOSTILE[0]).first().waitFor();
      found.push(...(await tell()));
      assert.deepEqual(found, []);

      await context.clearCookies();
      await context.addCookies(others[0].cookies());
      await page.goto("about:blank");
      await look("/workbench/information/firm", COMPANY, tell);
      assert.deepEqual(found, []);
    },
    page,
  );

  await scene.step(
    "addresses that carry it",
    async () => {
      const visitor = await scene.page();
      const tell = await watch(visitor);
      const addresses = [
        ...["javascript:hit()", "//evil.invalid/x", "data:text/html,<script>hit()</script>"].map(
          (to) => `/login?returnURL=${encodeURIComponent(to)}`,
        ),
        `/login?provider=wechat&code=${encodeURIComponent(HOSTILE[2])}&state=${encodeURIComponent(HOSTILE[3])}`,
        `/transaction/search/${encodeURIComponent(HOSTILE[2])}`,
        `/helpCenter?keyword=${encodeURIComponent(HOSTILE[5])}#${encodeURIComponent(HOSTILE[3])}`,
        `/${encodeURIComponent(HOSTILE[2])}`,
      ];
      for (const address of addresses) {
        const reply = await visitor.goto(`${site.url}${address}`);
        await visitor.waitForLoadState("networkidle");
        const unknown = reply.status() === 404;
        // The browser itself logs an error for a missing page.
        found.push(...(await tell()).filter((one) => !(unknown && one.includes("404"))));
        assert.equal(new URL(visitor.url()).origin, new URL(site.url).origin);
      }
      await visitor.context().close();
      assert.deepEqual(found, []);
    },
    page,
  );

  await scene.step(
    "the console shows it as text, and its CSV holds no formula",
    async () => {
      await signIn(desk, "anna", app);
      const tell = await watch(desk);
      await desk.goto(`${site.console}/console.html#/users`);
      await desk.reload();
      for (const name of HOSTILE_NAMES) await desk.getByRole("cell", { name, exact: true }).first().waitFor();
      found.push(...(await tell()));
      const [download] = await Promise.all([
        desk.waitForEvent("download"),
        desk.getByRole("button", { name: "导出 CSV" }).click(),
      ]);
      const csv = (await readFile(await download.path(), "utf8")).replace(/^\uFEFF/, "");
      assert.ok(csv.includes("'=1+1|cmd") && csv.includes("'@SUM(A1)"), csv);
      assert.doesNotMatch(csv, /(^|[,\r\n])"?[=+@|\t-]/, "a cell that a spreadsheet computes");

      await desk.getByRole("link", { name: HOSTILE_NAMES[1] }).first().click();
      await desk.getByRole("button", { name: "冻结", exact: true }).click();
      const dialog = desk.getByRole("dialog", { name: "冻结账号" });
      await dialog.getByLabel("原因（必填）").fill(ALL.slice(0, 150));
      await dialog.getByRole("button", { name: "冻结", exact: true }).click();
      await desk.getByRole("heading", { level: 1 }).getByText("已冻结").waitFor();
      found.push(...(await tell()));
      await desk.goto(`${site.console}/console.html#/log`);
      await desk.getByRole("cell").filter({ hasText: HOSTILE[0] }).first().waitFor();
      found.push(...(await tell()));
      await desk.context().close();
      assert.deepEqual(found, []);
    },
    page,
  );
  await rm(folder, { recursive: true, force: true });
});
