import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { findings } from "@/test/axe";
import type { PaymentWithdrawalItem } from "../../api/generated/payment";
import { ALL, answers, me, open, type Replies } from "../../test/console";
import { yuan } from "./words";

const BASE = "/api-console/payment/withdrawals";

const site = (more: Partial<PaymentWithdrawalItem> = {}, permissions = ALL): Replies => {
  const item: PaymentWithdrawalItem = {
    id: "w1",
    loginId: "u1",
    state: "requested",
    amount: 1_200_000,
    fee: 1_200,
    bankName: "中国工商银行",
    last4: "0128",
    holder: "张**",
    needsTwo: true,
    checkedBy: "",
    approvedBy: "",
    paidBy: "",
    reason: "",
    reference: "",
    requestedAt: Date.now() - 60_000,
    updatedAt: 1,
    endedAt: 0,
    version: 4,
    ...more,
  };
  const card = { item, cardNo: "6222021234567890128", holder: "张三丰", branch: "" };
  return {
    "session/me": me(permissions),
    [`${BASE}/search`]: {
      datas: {
        withdrawals: [item],
        next: "",
        waiting: 1,
        waitingCents: item.amount,
        oldestAt: item.requestedAt,
      },
    },
    [`${BASE}/show`]: {
      datas: {
        item,
        sources: [
          { channel: "alipay", cents: 900_000, sales: 30 },
          { channel: "cloudCoin", cents: 400_000, sales: 9 },
        ],
        fromGifted: 5_000,
        buyers: [{ loginId: "u7", cents: 300_000, sales: 8, gifted: 3_000 }],
        earned: 1_300_000,
        withdrawn: 0,
        incomeBalance: 100_000,
        debt: 0,
        frozen: false,
        standingUnknown: false,
      },
    },
    [`${BASE}/approve`]: { datas: item },
    [`${BASE}/refuse`]: { datas: item },
    [`${BASE}/take`]: { datas: card },
    [`${BASE}/giveBack`]: { datas: item },
    [`${BASE}/failed`]: { datas: item },
    [`${BASE}/paid`]: { datas: item },
    [`${BASE}/card`]: { datas: card },
  };
};

it("leads from the queue to where the income came from", async () => {
  answers(site());
  const { user } = open("/withdrawals");
  await user.click(await screen.findByRole("link", { name: yuan(1_200_000) }));
  expect(await screen.findByRole("heading", { level: 1, name: /12,000\.00/ })).toBeInTheDocument();
  expect(screen.getByText("¥9,000.00，30 笔")).toBeInTheDocument();
  expect(screen.getByText("¥3,000.00，8 笔，获赠云币 ¥30.00")).toBeInTheDocument();
  expect(screen.getByText("大额，需两人审核")).toBeInTheDocument();
  expect(await findings()).toEqual([]);
});

it.each([
  ["拒绝", "拒绝提现", "refuse", "收入来源异常，请联系客服核实", {}],
  ["通过", "通过提现", "approve", "收入来源正常，同意打款", {}],
  ["复核通过", "复核提现", "approve", "已核对销售记录", { state: "checked", checkedBy: "anna" }],
  ["退回打款", "退回打款", "giveBack", "银行系统维护，稍后再打", { state: "paying", paidBy: "linyi" }],
  ["打款失败", "登记打款失败", "failed", "银行退回：卡号不存在", { state: "paying", paidBy: "linyi" }],
])("%s sends what was looked at and the reason", async (button, title, call, reason, item) => {
  const heard = answers(site(item));
  const { user } = open("/withdrawals/w1");
  await user.click(await screen.findByRole("button", { name: button }));
  const dialog = await screen.findByRole("dialog", { name: title });
  await user.click(within(dialog).getByRole("button", { name: reason }));
  await user.click(within(dialog).getByRole("button", { name: button }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  const sent = heard.find((one) => one.call === `${BASE}/${call}`);
  expect(sent?.body).toEqual({ id: "w1", version: 4, reason });
});

it("whoever approved first does not approve again, and takes nothing that others pay", async () => {
  answers(site({ state: "checked", checkedBy: "linyi" }));
  const { view } = open("/withdrawals/w1");
  await screen.findByRole("button", { name: "拒绝" });
  expect(screen.queryByRole("button", { name: "复核通过" })).toBeNull();
  view.unmount();
  answers(site({ state: "paying", paidBy: "anna" }));
  open("/withdrawals/w1");
  await screen.findByRole("heading", { level: 1, name: /12,000\.00/ });
  expect(screen.queryByRole("button", { name: /打款|登记/ })).toBeNull();
});

it("an approved one is taken, paid to the card in clear, and closed with the bank's number", async () => {
  const heard = answers(site({ state: "approved" }));
  const { user, view } = open("/withdrawals/w1");
  await user.click(await screen.findByRole("button", { name: "领取打款" }));
  await waitFor(() => expect(heard.some((one) => one.call === `${BASE}/take`)).toBe(true));
  view.unmount();
  const paying = answers(site({ state: "paying", paidBy: "linyi" }));
  const second = open("/withdrawals/w1");
  await second.user.click(await screen.findByRole("button", { name: "查看完整卡号" }));
  expect(await screen.findByText("6222021234567890128")).toBeInTheDocument();
  await second.user.click(screen.getByRole("button", { name: "登记已打款" }));
  expect(await screen.findByRole("alert")).toHaveTextContent("银行流水号");
  await second.user.type(screen.getByLabelText("银行流水号"), "ICBC-1");
  await second.user.click(screen.getByRole("button", { name: "登记已打款" }));
  await waitFor(() => {
    const sent = paying.find((one) => one.call === `${BASE}/paid`);
    expect(sent?.body).toEqual({ id: "w1", version: 4, reference: "ICBC-1" });
  });
});

it("whoever may only read decides nothing", async () => {
  answers(site({}, ["withdrawal.read"]));
  open("/withdrawals/w1");
  await screen.findByRole("heading", { level: 1, name: /12,000\.00/ });
  expect(screen.queryByRole("button", { name: /通过|拒绝|打款/ })).toBeNull();
});
