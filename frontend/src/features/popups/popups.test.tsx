import { act, cleanup, render, screen, waitFor, within } from "@testing-library/react";
import dayjs from "dayjs";
import { Suspense } from "react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Providers } from "@/app/Providers";
import { localStore } from "@/lib/storage";
import { syncSession } from "@/session";
import { writeLogin } from "@/session/cookies";
import { dialogClosed, dialogOpened } from "@/session/dialog";
import { startStore } from "@/test/render";
import { type Answer, answer, type HeardCall, names } from "@/test/server";
import { startUser } from "@/test/user";
import Popups from "./Popups";

const POSTER = "/media/summer.png";
const ad = (popRule: number, jumpLink = "/pricePage"): Answer => ({
  datas: { status: "1", img: POSTER, jumpLink, popRule },
});

/** Image stub, since jsdom loads none: all load except `broken`. */
class Picture {
  onload?: () => void;
  onerror?: () => void;
  set src(address: string) {
    setTimeout(() => (address.includes("broken") ? this.onerror?.() : this.onload?.()));
  }
}

beforeEach(() => vi.stubGlobal("Image", Picture));
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const Page = () => (
  <Suspense fallback={null}>
    <Popups />
  </Suspense>
);

/** Renders the popups over an empty page, as after a reload. */
function visit(path: string) {
  cleanup();
  const router = createMemoryRouter([{ path: "*", element: <Page /> }], { initialEntries: [path] });
  const store = startStore();
  store.dispatch(syncSession());
  render(
    <Providers store={store}>
      <RouterProvider router={router} />
    </Providers>,
  );
  return { store, user: startUser(), at: () => router.state.location.pathname };
}

const ads = (heard: HeardCall[]) => heard.filter((call) => call.name === "getPopupSettings");
const poster = () => screen.findByRole("dialog", { name: "活动推荐" });
/** Waits until nothing more can appear. */
const settled = (heard: () => HeardCall[], calls: number) =>
  waitFor(() => expect(heard()).toHaveLength(calls)).then(() =>
    act(() => new Promise((r) => setTimeout(r, 50))),
  );

test("the home page's ad shows its picture and leads to its address (PP001, PP002, PP007)", async () => {
  const heard = answer({ getPopupSettings: ad(1) });
  const { user, at } = visit("/");
  await poster();
  expect(ads(heard)[0]?.form.type).toBe("1");
  const link = screen.getByRole("link", { name: "查看活动详情" });
  expect(link.querySelector("img")).toHaveAttribute("src", POSTER);
  expect(screen.getByRole("button", { name: "关闭" })).toHaveFocus();
  await user.click(link);
  expect(at()).toBe("/pricePage");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("an address elsewhere opens beside the site, and a script opens nothing", async () => {
  answer({ getPopupSettings: ad(1, "https://partner.example/a") });
  visit("/");
  await poster();
  const link = screen.getByRole("link", { name: "查看活动详情" });
  expect(link).toHaveAttribute("href", "https://partner.example/a");
  expect(link).toHaveAttribute("rel", "noopener noreferrer");
  for (const hostile of ["javascript://x/%0aalert(1)", "//evil.example", "/\\evil.example"]) {
    answer({ getPopupSettings: ad(1, hostile) });
    visit("/");
    await poster();
    expect(screen.queryByRole("link")).toBeNull();
  }
});

test("rule 1 shows the ad at every visit, whatever came today (PP003, AM020)", async () => {
  answer({ getPopupSettings: ad(1) });
  for (let visits = 0; visits < 3; visits += 1) {
    const { user } = visit("/");
    await poster();
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  }
});

test("another rule shows it once a calendar day, by place, until the browser forgets (PP004, PP005, PP006, PP008, AM018, AM019)", async () => {
  writeLogin("tok-1", "u1");
  const heard = answer({
    getPopupSettings: ad(2),
    getTheGuidePageReadingStatus: { datas: true },
    queryInfo: {},
  });
  visit("/");
  await poster();
  visit("/");
  await settled(() => ads(heard), 2);
  expect(screen.queryByRole("dialog")).toBeNull();

  visit("/workbench");
  await poster();
  expect(ads(heard).at(-1)?.form.type).toBe("2");

  const key = "xuanlan.closed.ad1.u1";
  const today = Number(localStore.get(key));
  localStore.set(key, String(dayjs(today).subtract(1, "day").endOf("day").valueOf()));
  visit("/");
  await poster();
  localStore.remove(key);
  visit("/");
  await poster();
});

test("without an ad, or with a picture that cannot be drawn, nothing comes, and other pages do not ask", async () => {
  const heard = answer({});
  visit("/");
  await settled(() => heard, 1);
  expect(screen.queryByRole("dialog")).toBeNull();
  answer({ getPopupSettings: { datas: { status: "1", img: "/broken.png", jumpLink: null, popRule: 1 } } });
  visit("/index1");
  await act(() => new Promise((r) => setTimeout(r, 100)));
  expect(screen.queryByRole("dialog")).toBeNull();
  const elsewhere = answer({});
  visit("/pricePage");
  await act(() => new Promise((r) => setTimeout(r, 50)));
  expect(elsewhere).toHaveLength(0);
});

test("a member popup says its text, is asked for once a day, and closing it is told (PP009, PP010, PP011, PP012, AM019, SF007)", async () => {
  writeLogin("tok-1", "u1");
  const heard = answer({
    getMemberPopup: { datas: { id: "p1", tipText: "会员专享：<b>八折</b>\n截止周日" } },
    cancelMemberPopup: {},
  });
  const { user } = visit("/workbench/account/myCoupon");
  const dialog = await screen.findByRole("dialog", { name: "会员通知" });
  expect(dialog).toHaveTextContent("会员专享：<b>八折</b> 截止周日");
  await user.click(screen.getByRole("button", { name: "知道了" }));
  await waitFor(() => expect(names(heard)).toContain("cancelMemberPopup"));
  const [asked, closed] = heard.filter((call) => call.name.includes("MemberPopup"));
  expect(JSON.parse(asked?.text ?? "")).toEqual({ type: 1, isJson: true });
  expect(JSON.parse(closed?.text ?? "")).toEqual({ popupId: "p1", isJson: true });
  for (const call of [asked, closed]) {
    expect(call?.headers.get("content-type")).toBe("application/json");
    expect(call?.headers.get("md5")).toMatch(/\S/);
  }
  visit("/workbench/account/myCoupon");
  await act(() => new Promise((r) => setTimeout(r, 50)));
  expect(heard.filter((call) => call.name === "getMemberPopup")).toHaveLength(1);
});

test("what was not answered was not checked: it is asked for again", async () => {
  writeLogin("tok-1", "u1");
  answer({ getMemberPopup: "network error" });
  visit("/workbench/account/myCoupon");
  await act(() => new Promise((r) => setTimeout(r, 100)));
  const heard = answer({ getMemberPopup: {} });
  visit("/workbench/account/myCoupon");
  await waitFor(() => expect(names(heard)).toContain("getMemberPopup"));
});

test("one at a time, after the tour, and never over the sign-in dialog", async () => {
  writeLogin("tok-1", "u1");
  let toured = false;
  answer({
    getPopupSettings: ad(1),
    getMemberPopup: { datas: { id: "p1", tipText: "欢迎回来" } },
    cancelMemberPopup: {},
    getTheGuidePageReadingStatus: () => ({ datas: toured }),
  });
  visit("/workbench");
  await act(() => new Promise((r) => setTimeout(r, 150)));
  expect(screen.queryByRole("dialog")).toBeNull();

  toured = true;
  localStore.remove("xuanlan.closed.memberPopup.u1");
  const { user, store } = visit("/workbench");
  await screen.findByRole("dialog");
  expect(screen.getAllByRole("dialog")).toHaveLength(1);
  act(() => {
    store.dispatch(dialogOpened({ step: "login" }));
  });
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  act(() => {
    store.dispatch(dialogClosed());
  });
  const seen: (string | null)[] = [];
  for (let left = 2; left > 0; left -= 1) {
    const dialog = await screen.findByRole("dialog");
    seen.push(within(dialog).getByRole("heading").textContent);
    await user.keyboard("{Escape}");
    await waitFor(() => expect(dialog).not.toBeInTheDocument());
  }
  expect(seen.sort()).toEqual(["会员通知", "活动推荐"]);
});
