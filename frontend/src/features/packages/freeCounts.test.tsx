import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { PaymentMemberFreeCount } from "@/calls/payment";
import { answer } from "@/test/server";
import { shopAnswers } from "@/test/shop";
import { openSite } from "@/test/site";

const MONTH: PaymentMemberFreeCount = {
  right: "mall",
  period: "month",
  total: 50,
  left: 48,
  endTime: Date.UTC(2026, 10, 30, 16),
  renewTime: Date.UTC(2026, 10, 30, 16),
};
const YEAR: PaymentMemberFreeCount = {
  right: "lightweight",
  period: "year",
  total: -1,
  left: -1,
  endTime: Date.UTC(2027, 4, 1),
  renewTime: null,
};

const nothing = { list: { datas: [] }, packageList: { datas: [] } };

test("what is left of the membership's counts, and until when", async () => {
  answer({ ...shopAnswers(), ...nothing, freeCounts: { datas: [MONTH, YEAR] } });
  openSite("/workbench/account/mySetMeal", { signedIn: true });
  const counts = within(await screen.findByRole("list", { name: "会员免费次数" }));
  const mall = counts.getByRole("listitem", { name: "付费模型下载" });
  expect(mall).toHaveTextContent("剩余 48 / 50 次");
  expect(mall).toHaveTextContent("本月有效至 2026-11-30，2026-12-01 恢复");
  const runs = counts.getByRole("listitem", { name: "单模型轻量化" });
  expect(runs).toHaveTextContent("不限次数");
  expect(runs).toHaveTextContent("到期后不再恢复");
});

test("who is no member is led to the memberships", async () => {
  answer({ ...shopAnswers(), ...nothing });
  const { user } = openSite("/workbench/account/mySetMeal", { signedIn: true });
  await screen.findByText("开通会员后，每月可以免费下载付费模型");
  await user.click(screen.getByRole("button", { name: "查看会员" }));
  expect(await screen.findByRole("dialog", { name: "开通会员" })).toBeInTheDocument();
});
