/** The upload wizard, as a user goes through it. */
import assert from "node:assert/strict";
import { WORK_MS } from "./journey.mjs";
import { formOf } from "./person.mjs";

export const wizard = (page) => page.getByRole("dialog", { name: "上传模型" });
export const chooser = (page) => wizard(page).locator('input[type="file"]');

/** Opens the wizard on the page of uploads. */
export async function openWizard(page, site) {
  await page.goto(`${site.url}/workbench/myUpload`);
  await page.getByRole("heading", { name: "我的上传", level: 1 }).waitFor();
  await page.getByRole("button", { name: "上传模型" }).first().click();
  await chooser(page).waitFor({ state: "attached" });
}

/** Chooses the file and waits until its check has passed. Returns the file's id and the form of the call. */
export async function uploadAndCheck(page, file) {
  const [request] = await Promise.all([
    page.waitForRequest((r) => r.url().endsWith("/model_checking")),
    chooser(page).setInputFiles(file),
  ]);
  const answer = await (await request.response()).json();
  assert.equal(answer.resp_code, 60000, answer.resp_msg);
  await wizard(page).getByText("体检完成", { exact: true }).waitFor({ timeout: WORK_MS });
  return { fileId: answer.datas, form: formOf(request) };
}

/** Gives the checked file its name, or leaves the proposed one, and closes the wizard. */
export async function finish(page, name) {
  await wizard(page).getByRole("button", { name: "下一步：填写名称" }).click();
  const field = wizard(page).getByLabel("模型名称");
  if (name) await field.fill(name);
  // the tags arrive later and push the buttons down
  await wizard(page).getByRole("group", { name: "标签" }).getByRole("button").first().waitFor();
  await wizard(page).getByRole("button", { name: "完成", exact: true }).click();
  await wizard(page).waitFor({ state: "hidden" });
  assert.equal(new URL(page.url()).pathname, "/workbench/myUpload");
}
