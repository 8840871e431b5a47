import { act, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { MatchupDemand, MatchupProviderCard } from "@/calls/matchup";
import { connectionChanged, queueMessage } from "@/realtime";
import { findings } from "@/test/axe";
import { answer, type HeardCall } from "@/test/server";
import { frameAnswers, openSite } from "@/test/site";
import { budgetText, endOfDay, starsText, untilText } from "./words";

/** Without offer and ratings, which the server leaves out. */
const need = (
  change: Partial<MatchupDemand> = {},
): Omit<MatchupDemand, "offer" | "given" | "received"> & Partial<MatchupDemand> => ({
  demandId: "d1",
  state: "open",
  category: "模型轻量化",
  title: "减速机轻量化",
  content: "第一行\n第二行 <b>",
  industry: "装备制造",
  budgetLow: 3000,
  budgetHigh: 8000,
  until: 1_900_000_000_000,
  openedAt: 1_790_000_000_000,
  updatedAt: 1_790_000_000_000,
  nickname: "木匠",
  certified: true,
  example: false,
  offerCount: 2,
  fileCount: 1,
  mine: false,
  reason: "",
  files: [],
  contact: "",
  ownContact: "",
  ratingCount: 0,
  ratingSum: 0,
  ...change,
});

const provider = (change: Partial<MatchupProviderCard> = {}): MatchupProviderCard => ({
  providerId: "p1",
  userId: "u9",
  name: "轻量工作室",
  avatar: "",
  certified: true,
  skills: ["模型轻量化"],
  industries: [],
  region: "华东",
  introduce: "做轻量化",
  example: false,
  done: 3,
  ratingCount: 2,
  ratingSum: 9,
  shownAt: 1,
  ...change,
});

const offer = {
  offerId: "o1",
  demandId: "d1",
  state: "sent",
  price: 6000,
  days: 5,
  proposal: "逐级减面",
  updatedAt: 1,
  provider: provider(),
  title: "减速机轻量化",
  demandState: "open",
};

const figures = {
  openDemands: 4,
  providers: 2,
  chosenDemands: 1,
  closedDemands: 0,
  exampleDemands: 12,
  exampleProviders: 8,
  categories: ["模型轻量化", "点云处理"],
  skills: ["模型轻量化", "点云处理"],
  industries: ["装备制造"],
  regions: ["华东"],
};

const page = (results: object[]) => ({ datas: { totalCount: results.length, results } });

/** Calls for demands and providers share their last path segment; `more` overrides. */
const replies = (more: Parameters<typeof answer>[0] = {}) => ({
  ...frameAnswers(),
  figures: { datas: figures },
  list: ({ path }: HeardCall) => page(path.includes("/provider/") ? [provider()] : [need()]),
  detail: { datas: need() },
  decideUserType: { datas: { userType: 1 } },
  ...more,
});

test("figures of this site, without examples; both doors", async () => {
  answer(replies());
  openSite("/matchingPlatform");
  expect(await screen.findByRole("heading", { level: 1, name: "把模型交给做得了的人" })).toBeVisible();
  const own = await screen.findByLabelText("本站数字");
  await waitFor(() => expect(within(own).getByText("4")).toBeVisible());
  expect(screen.getByText("另有示例需求 12 个、示例服务商 8 个，不计入数字。")).toBeVisible();
  expect(screen.getByRole("link", { name: "发布需求" })).toHaveAttribute(
    "href",
    "/matchingPlatform/demandPage?edit=new",
  );
  const needs = await screen.findByRole("list", { name: "最新需求" });
  expect(within(needs).getByText("¥3,000 – ¥8,000")).toBeVisible();
  expect(await findings()).toEqual([]);
});

test("the market asks for what stands in the address, and says when there is nothing", async () => {
  const calls = answer(replies({ list: page([]) }));
  const { user } = openSite(
    "/matchingPlatform/demandMarketPage?category=%E7%82%B9%E4%BA%91%E5%A4%84%E7%90%86&page=2",
  );
  expect(await screen.findByText("没有相符的需求")).toBeVisible();
  const asked = () => calls.filter(({ path }) => path.endsWith("unauth/demand/list")).at(-1)?.form;
  expect(asked()).toMatchObject({ category: "点云处理", pageNo: "2" });
  await user.click(screen.getByRole("button", { name: "清除条件" }));
  await waitFor(() => expect(asked()).toMatchObject({ pageNo: "1" }));
});

test("an owner chooses an offer and sees the contact; payment is told to be between both", async () => {
  let chosen = false;
  const calls = answer(
    replies({
      detail: () => ({
        datas: chosen
          ? need({
              mine: true,
              state: "chosen",
              contact: "微信 maker_01",
              offer: { ...offer, state: "chosen" },
            })
          : need({ mine: true }),
      }),
      offers: page([offer]),
      choose: () => {
        chosen = true;
        return { datas: need({ mine: true, state: "chosen" }) };
      },
    }),
  );
  const { user } = openSite("/matchingPlatform/demandDetailsPage?demandId=d1", { signedIn: true });
  await user.click(await screen.findByRole("button", { name: "选定这家" }));
  const dialog = await screen.findByRole("dialog");
  expect(within(dialog).getByText(/款项目前由双方自行约定与支付/)).toBeVisible();
  await user.click(within(dialog).getByRole("button", { name: "选定" }));
  expect(await screen.findByText("微信 maker_01")).toBeVisible();
  expect(calls.find(({ name }) => name === "choose")?.form).toMatchObject({ offerId: "o1" });
});

test("an example takes no offers, a visitor is asked to sign in, text is text", async () => {
  answer(replies({ detail: { datas: need({ example: true, until: 0 }) } }));
  openSite("/matchingPlatform/demandDetailsPage?demandId=d1");
  expect(await screen.findByText("这个需求用来说明怎样把要求写清楚，不接受报价。")).toBeVisible();
  expect(screen.getByText(/第二行 <b>/)).toBeVisible();
  expect(screen.queryByRole("button", { name: "登录后报价" })).toBeNull();
});

test("a certification that is decided while the page is open, or before its connection, unlocks the profile", async () => {
  const texts = { companyName: "", region: "", introduce: "", contact: "", reason: "" };
  const info = { serviceType: 2, state: "draft", skills: [], industries: [], ...texts };
  let certified = false;
  const calls = answer(replies({ serviceInfo: () => ({ datas: { ...info, certified } }) }));
  const { store } = openSite("/matchingPlatform/serviceProviderPage?mine=1", { signedIn: true });
  expect(await screen.findByText(/完成认证后再发布/)).toBeVisible();
  expect(screen.getByText("发布资料").closest("button")).toBeDisabled();
  const asked = () => calls.filter(({ name }) => name === "serviceInfo").length;
  act(() => store.dispatch(connectionChanged(true)));
  await waitFor(() => expect(asked()).toBe(2));
  certified = true;
  act(() => store.dispatch(queueMessage({ type: "CERTIFICATION", checkStatus: 1 })));
  await waitFor(() => expect(screen.getByText("发布资料").closest("button")).toBeEnabled());
  expect(screen.queryByText(/完成认证后再发布/)).toBeNull();
});

test("amounts, dates and stars in words", () => {
  expect(budgetText({ budgetLow: 0, budgetHigh: 0 })).toBe("预算面议");
  expect(budgetText({ budgetLow: 0, budgetHigh: 900 })).toBe("¥900 以内");
  expect(budgetText({ budgetLow: 900, budgetHigh: 900 })).toBe("¥900");
  expect(untilText({ until: 0, example: true })).toBe("示例，不接受报价");
  expect(starsText(2, 9)).toBe("4.5 星（2 人评价）");
  expect(starsText(0, 0)).toBe("");
  expect(endOfDay("2026-12-01")).toBe(Date.parse("2026-12-01T15:59:59Z"));
});
