import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { answer } from "@/test/server";
import { frameAnswers, openSite } from "@/test/site";

test("the extension page shows the code, what it earned and whom it brought (AC017)", async () => {
  answer({
    ...frameAnswers(),
    detail: {
      datas: {
        inviteCode: "A1B2C3D4",
        inviteUrl: "/login?invitedcode=A1B2C3D4",
        invitedCount: 12,
        qualifiedCount: 7,
        rewardTotal: 7050,
        monthCount: 3,
        monthLimit: 20,
        rewardEach: 1000,
        totalCount: 2,
        records: [
          { phone: "138****0001", state: "rewarded", reward: 1000, createTime: 1_790_000_000_000 },
          { phone: "139****0002", state: "pending", reward: 0, createTime: 1_790_000_000_001 },
        ],
      },
    },
    integralInfo: { datas: { integral: 45, totalCount: 0, records: [], results: [] } },
  });
  openSite("/workbench/account/myExtension", { signedIn: true });
  const main = within(await screen.findByRole("main"));
  expect(await main.findByText("A1B2C3D4")).toBeInTheDocument();
  expect(main.getByText(`${window.location.origin}/login?invitedcode=A1B2C3D4`)).toBeInTheDocument();
  expect(main.getByText(/双方各得 10.00 元云币；每月最多奖励 20 次/)).toBeInTheDocument();
  for (const figure of ["12", "3/20", "70.50"]) expect(main.getByText(figure)).toBeInTheDocument();
  const row = (phone: string) => main.getByText(phone).closest("tr") as HTMLElement;
  expect(within(row("138****0001")).getByText("已奖励")).toBeInTheDocument();
  expect(within(row("139****0002")).getByText("等待首个模型通过体检")).toBeInTheDocument();
});
