import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { isPrivatePath } from "@/app/access";
import { layoutNames, paths } from "@/app/paths";
import { answer } from "@/test/server";
import { frameAnswers, openSite } from "@/test/site";

test("there are ten layouts and each is worn by a page", () => {
  expect(layoutNames).toHaveLength(10);
  for (const name of layoutNames) expect(paths.some((page) => page.layout === name)).toBe(true);
});

const guarded = [
  ["/workbench", "workbench"],
  ["/workbench/myOrder", "workbench"],
  ["/workbench/account/myCoupon", "personal"],
  ["/publishCenter/toBeReleased?isRelase=true", "publish"],
  ["/workbench/ai-tools/text3D", "text3d"],
  ["/topology-modelService", "named"],
  ["/message", "named"],
  ["/topology-management", "named"],
] as const;

test.each(guarded)("a visitor at %s goes to sign-in with the way back (AM063)", async (address) => {
  answer(frameAnswers());
  const { at } = openSite(address);
  await waitFor(() => expect(at()).toBe(`/login?returnURL=${encodeURIComponent(address)}`));
});

const marks: readonly [string, string][] = [
  ["/workbench", "工作台"],
  ["/workbench/myOrder", "工作台"],
  ["/workbench/account/myCoupon", "个人中心"],
  ["/publishCenter/toBeReleased", "发布中心"],
  ["/workbench/ai-tools/text3D", "AI 工具"],
];

test.each(marks)("a signed-in person gets %s in its own frame (LY003, AM068)", async (address, label) => {
  answer(frameAnswers());
  const { at } = openSite(address, { signedIn: true });
  expect(await screen.findByRole("navigation", { name: label })).toBeInTheDocument();
  expect(at()).toBe(address);
});

test("the public site opens for a visitor without a redirect", async () => {
  answer(frameAnswers());
  for (const path of [
    "/pricePage",
    "/helpCenter",
    "/agreement",
    "/secrecy",
    "/case",
    "/modelEditor",
    "/common/pay",
  ]) {
    const { at } = openSite(path);
    await screen.findAllByRole("main");
    expect(at()).toBe(path);
  }
});

test("the price page is open to anybody, and yet a page whose calls may want a sign-in", () => {
  expect(paths.find((page) => page.path === "/pricePage")?.access).toBe("asks");
  expect(isPrivatePath("/pricePage")).toBe(true);
  expect(isPrivatePath("/helpCenter")).toBe(false);
});

test("nothing stands below a page as high as the window, which would make it scroll", async () => {
  answer(frameAnswers());
  openSite("/siteMap");
  const footer = await screen.findByRole("contentinfo");
  for (const announcer of document.querySelectorAll('[role="status"][aria-live]'))
    expect(announcer.compareDocumentPosition(footer) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
});
