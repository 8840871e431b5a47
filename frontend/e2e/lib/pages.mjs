/** Opens pages of the table by their addresses, and checks each of them. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { documentTitle, plainPath, sitePages } from "../../scripts/pages.mjs";
import { Client } from "./client.mjs";
import { journey } from "./journey.mjs";
import { sample } from "./models.mjs";
import { findings, NARROW, settled, tooWide, WIDE } from "./sound.mjs";
import { putModel } from "./store.mjs";

export const NOT_OPEN = "该页面尚未开放";
const BROKEN = ["页面出错了", "页面不存在"];
export const routes = sitePages();
/** Pages whose title is that of the article they show. */
const NAMED_BY_ARTICLE =
  /^\/(solution|aLeaflet|obliquePhotography|promotionPage|[A-Za-z0-9]+QDCPA|semV1\.0\.0|case\/details|news\/detail)(\/|$)/;
/** Pages of one object are opened with its id. */
function addressOf(route, ids) {
  if (/\/(sourceFile|editDialog|publishDialog|lightweight)$/.test(route.path)) {
    return `${plainPath(route)}?fileId=${ids.fileId}`;
  }
  if (route.path.endsWith("/serviceResult/details")) return `${plainPath(route)}?resultId=${ids.resultId}`;
  if (route.path === "/case/details") return `${plainPath(route)}?id=${ids.caseId}`;
  if (route.path === "/news/detail") return `${plainPath(route)}?id=${ids.newsId}`;
  if (showsListing(route, ids)) return `${plainPath(route)}?id=${ids.listing.id}`;
  return plainPath(route);
}

/** With a model of the mall its page has the model's name; without one it says that it is missing. */
const showsListing = (route, ids) => route.path === "/transaction/detail" && ids.listing !== undefined;

/** The known start of a page's title. */
function nameOf(route, ids) {
  if (showsListing(route, ids)) return ids.listing.name;
  if (NAMED_BY_ARTICLE.test(route.path)) return "";
  const title = documentTitle(route);
  return title.startsWith(route.title) ? route.title : title;
}

/** Waits for the page's own heading and returns it. */
export async function headingOf(page) {
  // not by its role: behind an open dialog it has none
  const heading = page.locator("h1").first();
  await heading.waitFor();
  return (await heading.textContent()).trim();
}

/** Goes to an address inside the running page, like a link of it. */
export async function visitInside(page, address) {
  await page.evaluate((to) => {
    history.pushState(null, "", to);
    dispatchEvent(new PopStateEvent("popstate", { state: null }));
  }, address);
}

/** A person with a checked model, and the ids that pages of one object need. */
export async function personWithFile(site) {
  const folder = await mkdtemp(path.join(tmpdir(), "xuanlan-e2e-pages-"));
  const person = await new Client(site).register("13911110005", "liulan-05");
  const fileId = await putModel(person, await sample(folder, "lens-cube", "镜方.glb", 2000));
  await rm(folder, { recursive: true, force: true });
  const resultId = await person.call("X04", {
    fileId,
    serviceType: "convert",
    params: JSON.stringify({ format: "stl" }),
  });
  for (const location of [0, 1]) await person.call("P07", { location });
  const firstOf = async (kind) => (await person.call("X231", { kind })).results[0].id;
  const ids = { fileId, resultId, caseId: await firstOf("case"), newsId: await firstOf("news") };
  return { person, ids };
}

/** Faults of these pages. Several tabs run in parallel: one waits while the other computes. */
export async function faultsOfPages(site, ids, tabs, chosen) {
  const waiting = [...chosen];
  const faults = [];
  const through = async (tab) => {
    for (let route = waiting.shift(); route; route = waiting.shift())
      faults.push(...(await faultsOf(site, ids, tab, route)));
  };
  await Promise.all(tabs.map(through));
  return faults;
}

/** Opens a page by its address and returns its faults, at desktop and phone size. */
async function faultsOf(site, ids, tab, route) {
  const faults = [];
  const say = (what) => faults.push(`${route.path}: ${what}`);
  tab.problems.length = 0;
  const answer = await tab.goto(site.url + addressOf(route, ids));
  const heading = await headingOf(tab).catch(() => "");
  // Until the script has run the title is the one inserted by the server.
  const named = nameOf(route, ids);
  await tab.waitForFunction((start) => document.title.startsWith(start), named).catch(() => {});
  const title = await tab.title();
  if (answer.status() !== 200) say(`status ${answer.status()}`);
  if (!heading || heading === NOT_OPEN || BROKEN.includes(heading)) say(`heading ${heading}`);
  if (!title.includes("玄览云") || !title.startsWith(named)) say(`title ${title}`);
  if (new URL(tab.url()).pathname !== plainPath(route)) say(`went to ${tab.url()}`);
  for (const size of [WIDE, NARROW]) {
    await tab.setViewportSize(size);
    await settled(tab);
    const over = await tooWide(tab);
    if (over > 0) say(`${over} pixels too wide at ${size.width}`);
    for (const finding of await findings(tab)) say(`${finding} at ${size.width}`);
  }
  for (const problem of tab.problems) say(problem);
  await tab.setViewportSize(WIDE);
  return faults;
}

/** The journey through the open pages that `chosen` selects, at desktop and phone size. */
export function openPages(title, chosen) {
  journey(title, {}, async (scene) => {
    const { site } = scene;
    const { person, ids } = await personWithFile(site);
    const context = await scene.context();
    await context.addCookies(person.cookies());
    const page = await scene.page(context);
    await scene.step(
      "every open page renders its heading by its address, without complaints",
      async () => {
        const open = routes.filter((one) => one.state === "open" && one.path !== "/login" && chosen(one));
        const other = await scene.page(context);
        const faults = await faultsOfPages(site, ids, [page, other], open);
        await other.close();
        assert.deepEqual(faults, []);
      },
      page,
    );
  });
}
