import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { findings } from "@/test/axe";
import type { AuthInvitationItem } from "../../api/generated/auth";
import { ALL, answers, me, open } from "../../test/console";
import { coins, rewardOf } from "./words";

const side = (loginId: string, more: object = {}) => ({
  loginId,
  nickname: "",
  phone: "138****0001",
  cents: 0,
  paidAt: 0,
  ...more,
});
const pair = (more: Partial<AuthInvitationItem> = {}): AuthInvitationItem => ({
  id: "i1",
  inviter: side("u1", { nickname: "木鱼" }),
  invitee: side("u2", { nickname: "青瓷" }),
  state: "held",
  suspicion: ["与邀请人使用同一网络地址"],
  createdAt: 1_790_000_000_000,
  qualifiedAt: 0,
  decidedBy: "",
  ...more,
});

it("says what became of a reward", () => {
  const paid = side("u1", { cents: 550, paidAt: 1 });
  expect(coins(550)).toBe("5.5");
  expect(rewardOf(pair({ state: "qualified" }), paid)).toBe("5.5 云币");
  expect(rewardOf(pair({ state: "qualified" }), { ...paid, paidAt: 0 })).toBe("5.5 云币（入账中）");
  expect(rewardOf(pair({ state: "qualified" }), side("u1"))).toBe("超出当月上限");
  expect(rewardOf(pair({ state: "refused" }), side("u1"))).toBe("不发放");
  expect(rewardOf(pair(), side("u1"))).toBe("待处理");
  expect(rewardOf(pair({ state: "pending" }), side("u1"))).toBe("未达成");
});

it("shows the evidence of a held pair and lets its reward go with a reason", async () => {
  const heard = answers({
    "session/me": me(ALL),
    "invitation/show": {
      datas: {
        item: pair(),
        sharedAddresses: ["10.0.0.9"],
        chain: [side("u9", { nickname: "源头" })],
        inviterSince: 1,
        inviteeSince: 2,
        inviterPairs: 12,
        inviterPairsDay: 11,
        inviterHeld: 3,
        inviterRefused: 1,
        monthCount: 2,
        monthLimit: 20,
      },
    },
    "invitation/release": {},
  });
  const { user } = open("/invitations/i1");
  await screen.findByRole("heading", { level: 1, name: /木鱼 邀请 青瓷/ });
  expect(screen.getByText("10.0.0.9")).toBeInTheDocument();
  expect(screen.getByText("源头").closest("dd")).toHaveTextContent("源头 → 木鱼 → 青瓷");
  expect(screen.getByText("共 12 人，近 24 小时 11 人")).toBeInTheDocument();
  expect(await findings()).toEqual([]);
  await user.click(screen.getByRole("button", { name: "发放" }));
  const dialog = await screen.findByRole("dialog", { name: "发放奖励" });
  await user.click(within(dialog).getByRole("button", { name: "已核实为不同的人" }));
  await user.click(within(dialog).getByRole("button", { name: "发放" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  const sent = heard.find(({ call }) => call === "invitation/release");
  expect(sent?.body).toEqual({ id: "i1", reason: "已核实为不同的人" });
});
