/** Operators of the console: their links, their authenticator apps, the pages that the console registers. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { consoleAreas } from "../../scripts/generate-modules.mjs";
import { binary, projectRoot } from "./site.mjs";
import { findings, tooWide } from "./sound.mjs";
import { authenticator } from "./totp.mjs";

const run = promisify(execFile);
export const PASSWORD = "correct horse battery staple";

/** The link of a new operator, as the command line prints it. */
export async function operatorLink(site, name) {
  // a site started elsewhere has its own data folder, so its link is given
  if (process.env.XUANLAN_LINK) return `${site.console}${process.env.XUANLAN_LINK}`;
  const { stdout } = await run(binary(), ["operator", "add", name, "--data", site.data]);
  const link = /(\/console\.html#\/enrol\/\S+)/.exec(stdout)?.[1];
  if (!link) throw new Error(`no link in: ${stdout}`);
  return `${site.console}${link}`;
}

/** Opens an enrolment link; returns the authenticator app bound by it. */
export async function enrol(page, link) {
  await page.goto(link);
  for (const label of ["新密码", "再输入一次"]) await page.getByLabel(label).fill(PASSWORD);
  await page.getByRole("button", { name: "下一步" }).click();
  await page.getByRole("heading", { level: 1, name: "绑定验证器" }).waitFor();
  const secret = await page
    .locator("span", { hasText: /^[A-Z2-7]{16,}$/ })
    .first()
    .textContent();
  const app = authenticator(secret.trim());
  await page.getByLabel("验证器显示的 6 位动态口令").fill(await app());
  await page.getByRole("button", { name: "确认" }).click();
  await page.getByRole("list", { name: "恢复码" }).waitFor();
  await page.getByLabel("我已保存恢复码").check();
  await page.getByRole("button", { name: "去登录" }).click();
  return app;
}

export async function signIn(page, name, app) {
  await page.getByLabel("登录名").fill(name);
  await page.getByLabel("密码").fill(PASSWORD);
  await page.getByLabel("动态口令").fill(await app());
  await page.getByRole("button", { name: "登录" }).click();
  await page.getByRole("navigation", { name: "运营后台" }).waitFor();
}

/** Pages that the areas register, as their index files say. */
export function consolePages() {
  return consoleAreas().flatMap((area) => {
    const file = path.join(projectRoot, "frontend/src/console/modules", area, "index.ts");
    const routes = /routes: \[([\s\S]*?)\n? *\],/.exec(readFileSync(file, "utf8"))?.[1] ?? "";
    return [...routes.matchAll(/path: "([^"]*)",\s*title: "([^"]+)"/g)].map(([, below, title]) => ({
      area,
      title,
      // of one object: reached by the first link of the area's list
      one: below.includes(":"),
      address: `#/${[area === "overview" ? "" : area, below].filter(Boolean).join("/")}`,
    }));
  });
}

/** The operator's own account, which belongs to no area: whoever is signed in has it. */
export const OWN_PAGE = { area: "own", title: "我的账号", one: false, address: "#/own" };

/** Goes to an address behind the hash and waits until its page has loaded. */
export async function visit(page, site, address, title = "") {
  await page.goto(`${site.console}/console.html${address}`);
  // the previous page may still be shown for a moment
  await page.getByRole("main").getByRole("heading", { level: 1, name: title }).first().waitFor();
  await page.getByLabel("正在加载").first().waitFor({ state: "detached" });
  await page.waitForLoadState("networkidle");
}

/** All findings of axe in the page once nothing changes any more. */
export async function settledFindings(page) {
  // A list is faded while it reloads, which distorts its colours.
  await page.waitForFunction(() => {
    const whole = (one) =>
      one === null || (getComputedStyle(one).opacity === "1" && whole(one.parentElement));
    const still = document.getAnimations().every((one) => one.playState !== "running");
    return (
      still &&
      [...document.querySelectorAll("main [aria-busy], main button")].every(
        (one) => one.disabled || (one.ariaBusy !== "true" && whole(one.parentElement) && whole(one)),
      )
    );
  });
  return findings(page);
}

/** Faults of the open page at the window's size; resets its recorded errors. */
export async function faultsHere(page, address) {
  const { width } = page.viewportSize();
  const over = await tooWide(page);
  const faults = over > 0 ? [`${over} pixels too wide`] : [];
  faults.push(...(await settledFindings(page)), ...page.problems.splice(0));
  return faults.map((fault) => `${address} at ${width}: ${fault}`);
}
