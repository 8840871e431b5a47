/** What a user does and sees on a page. */
import assert from "node:assert/strict";
import path from "node:path";
import { sliderAnswer, smsCode, smsCount } from "./client.mjs";
import { WORK_MS } from "./journey.mjs";

/** Waits until a toast with exactly this text is shown. Start waiting before the action that causes it. */
export async function toast(page, text) {
  await page
    .locator(".notistack-MuiContent")
    .filter({ hasText: exactly(text) })
    .first()
    .waitFor();
}

export const exactly = (text) => new RegExp(`^\\s*${text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}\\s*$`);

/** Runs `act` and waits for the toast it must cause. */
export async function acting(page, text, act) {
  await Promise.all([toast(page, text), act()]);
}

/** The response to a call of this page during `act`. `address` is the end of its path. */
export async function answered(page, address, act) {
  const [response] = await Promise.all([
    page.waitForResponse(
      (r) => new URL(r.url()).pathname.endsWith(address) && r.request().method() === "POST",
    ),
    act(),
  ]);
  return response.json();
}

/**
 * Clicks a button whose form is invalid, and waits until the form has moved the focus to its first invalid field: it does so
 * a moment after it shows the errors, and typing must not come in between.
 */
export async function refused(button) {
  await button.click();
  const page = button.page();
  await page.waitForFunction(() => document.activeElement?.getAttribute("aria-invalid") === "true");
  await page.evaluate(() => new Promise((done) => setTimeout(done, 20)));
}

/** The form fields of a call of this page. */
export function formOf(request) {
  return Object.fromEntries(new URLSearchParams(request.postData() ?? ""));
}

/**
 * Lets `act` bring up the slider, if the server requires one, and solves it: the answer is the one an eye would see, read
 * from the sandbox by the puzzle's id; the piece is dragged like a hand does.
 */
export async function passSlider(page, site, act) {
  const datas = await demanded(page, act);
  if (!datas) return;
  assert.equal(datas.kind, "slide");
  const { x } = await sliderAnswer(site, datas.id);
  const panel = page.getByRole("dialog", { name: "智能验证" });
  const handle = panel.getByRole("slider");
  await handle.waitFor();
  const [box, track] = await Promise.all([
    handle.boundingBox(),
    handle.evaluate((element) => element.parentElement?.offsetWidth ?? 0),
  ]);
  const distance = (x / (datas.width - datas.pieceWidth)) * (track - box.width);
  const verdict = await answered(page, "/getAliyunAcs", () =>
    drag(page, box.x + box.width / 2, box.y + box.height / 2, distance),
  );
  assert.equal(Number(verdict.datas), 100, `the slider answered ${JSON.stringify(verdict)}`);
  await panel.waitFor({ state: "hidden" });
}

/** The puzzle that `act` brings up; undefined when the server requires none. */
async function demanded(page, act) {
  let settle;
  const settled = new Promise((resolve) => {
    settle = resolve;
  });
  const hear = async (response) => {
    const { pathname } = new URL(response.url());
    if (pathname.endsWith("/sliderChallenge")) settle((await response.json()).datas);
    if (!pathname.endsWith("/getAliyunAcs")) return;
    const { resp_code, datas } = await response.json();
    // Rate limited, or no puzzle needed.
    if (resp_code !== 60000 || [100, 200].includes(Number(datas))) settle(undefined);
  };
  page.on("response", hear);
  try {
    await act();
    return await settled;
  } finally {
    page.off("response", hear);
  }
}

/**
 * Speeds up, slows down, overshoots a little and comes back; never quite level. Timed by the clock, as a hand is: a page
 * that draws slowly sees fewer positions, not a slower hand.
 */
async function drag(page, x, y, distance) {
  await page.mouse.move(x, y);
  await page.mouse.down();
  const began = Date.now();
  const leastSteps = 12;
  for (let i = 1, share = 0; share < 1; i += 1) {
    share = Math.min(1, Math.max((Date.now() - began) / 900, 0), i / leastSteps);
    const eased = share * share * (3 - 2 * share);
    await page.mouse.move(x + (distance + 5) * eased, y + Math.sin(i) * 3);
    await page.waitForTimeout(8 + (i % 4) * 5);
  }
  for (const left of [3, 1, 0]) {
    await page.mouse.move(x + distance + left, y + left);
    await page.waitForTimeout(30);
  }
  await page.mouse.up();
}

/** The dialog of sign-in, registration or recovery. */
export function authDialog(page) {
  return page.getByRole("dialog", {
    name: /登录玄览云|注册玄览云账号|找回密码|您关注什么|填写推广码|账号已经建好/,
  });
}

/** Requests a code, passing the slider, and returns it. */
export async function fetchCode(page, site, phone) {
  const dialog = authDialog(page);
  const before = await smsCount(site, phone);
  await Promise.all([
    toast(page, "发送成功"),
    passSlider(page, site, () => dialog.getByRole("button", { name: "获取验证码" }).click()),
  ]);
  return smsCode(site, phone, before);
}

export async function cookie(context, name) {
  return (await context.cookies()).find((one) => one.name === name);
}

/** Leaves the guided tour if it is shown. */
export async function endTour(page) {
  await page.getByRole("button", { name: "跳过", exact: true }).click();
}

/** Opens the avatar's menu: moving the pointer onto it opens it, and the click leaves it open. */
export async function openAccount(page) {
  await page.getByRole("button", { name: "我的账号" }).click();
  await page.getByRole("button", { name: "退出登录" }).waitFor();
}

/** Lets the page download and returns the file on the disk. */
export async function download(page, folder, act) {
  const [event] = await Promise.all([page.waitForEvent("download"), act()]);
  const file = path.join(folder, event.suggestedFilename());
  await event.saveAs(file);
  return file;
}

/** Waits until the result on its page is done. */
export async function waitDone(page) {
  await page.getByRole("button", { name: "下载结果" }).waitFor({ timeout: WORK_MS });
}
