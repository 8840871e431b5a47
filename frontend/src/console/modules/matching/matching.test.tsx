import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { findings } from "@/test/axe";
import { ALL, answers, me, open, type Replies } from "../../test/console";

const item = (more: object = {}) => ({
  demand: {
    demandId: "d1",
    state: "review",
    category: "模型轻量化",
    title: "减速机轻量化",
    content: "说明 <b>",
    industry: "装备制造",
    budgetLow: 3000,
    budgetHigh: 8000,
    until: 1,
    updatedAt: 1,
    nickname: "木匠",
    offerCount: 0,
    files: [],
    reason: "",
    ...more,
  },
  revision: 7,
  owner: "u9",
  submittedAt: Date.now() - 60_000,
  suspects: ["独家授权"],
});

const site = (more: object = {}, permissions = ALL): Replies => ({
  "session/me": me(permissions),
  "/api-console/matchup/demands/search": { datas: { demands: [item(more)], next: "", waiting: 1 } },
  "/api-console/matchup/demands/show": { datas: item(more) },
  "/api-console/matchup/demands/decide": {},
  "/api-console/matchup/demands/hide": {},
});

it("lists what waits, with the words that ask for a look", async () => {
  answers(site());
  open("/matching");
  expect(await screen.findByRole("link", { name: "减速机轻量化" })).toBeVisible();
  expect(screen.getByText("1 个需求等待审核")).toBeVisible();
  expect(screen.getByText("独家授权")).toBeVisible();
  expect(await findings()).toEqual([]);
});

it("refuses with a reason, of the revision that was looked at", async () => {
  const calls = answers(site());
  const { user } = open("/matching/demands/d1");
  await user.click(await screen.findByRole("button", { name: "拒绝" }));
  const dialog = await screen.findByRole("dialog");
  await user.click(within(dialog).getByRole("button", { name: "与三维模型无关" }));
  await user.click(within(dialog).getByRole("button", { name: "拒绝" }));
  await waitFor(() =>
    expect(calls.find(({ call }) => call.endsWith("demands/decide"))?.body).toMatchObject({
      id: "d1",
      revision: 7,
      decision: "refuse",
      reason: "与三维模型无关",
    }),
  );
});

it("offers nothing to whoever may only look", async () => {
  answers(site({ state: "open" }, ["matching.read"]));
  open("/matching/demands/d1");
  expect(await screen.findByText(/说明 <b>/)).toBeVisible();
  expect(screen.queryByRole("button", { name: "下架" })).toBeNull();
});
