import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { PaymentBankCard, PaymentWithdrawal } from "@/calls/payment";
import { findings } from "@/test/axe";
import { answer } from "@/test/server";
import { shopAnswers } from "@/test/shop";
import { openSite } from "@/test/site";
import { amountProblem, cardProblem, cardText, feeOf } from "./rules";

const CARD: PaymentBankCard = {
  id: "c1",
  bankName: "中国工商银行",
  cardNo: "**** **** **** 0128",
  holder: "张**",
  branch: "杭州文三路支行",
  createTime: 1,
};

const withdrawal = (changes: Partial<PaymentWithdrawal> = {}): PaymentWithdrawal => ({
  id: "w1",
  requestNo: "n1",
  createTime: Date.UTC(2026, 10, 20),
  amount: 30_000,
  fee: 30,
  state: "requested",
  bankName: CARD.bankName,
  cardNo: CARD.cardNo,
  holder: CARD.holder,
  reason: "",
  reference: "",
  endTime: null,
  ...changes,
});

const TERMS = {
  incomeBalance: 50_000,
  held: 0,
  debt: 0,
  least: 10_000,
  most: 5_000_000,
  feeBp: 10,
  leastFee: 0,
};

async function open(
  changes: { cards?: PaymentBankCard[]; rows?: PaymentWithdrawal[]; checkStatus?: number } = {},
) {
  const { cards = [CARD], rows = [], checkStatus = 1 } = changes;
  const shop = shopAnswers({ person: { checkStatus } });
  const heard = answer({
    ...shop,
    queryCardList: { datas: { results: cards, most: 5 } },
    withdrawList: { datas: { ...TERMS, totalCount: rows.length, results: rows } },
    add: { datas: CARD },
    deletCard: {},
    manualCheck: { datas: withdrawal() },
    cancel: { datas: withdrawal({ state: "cancelled" }) },
  });
  const page = openSite("/workbench/account/accountWithdrawals", { signedIn: true });
  await screen.findByRole("heading", { level: 1, name: "收入提现" });
  return { ...page, heard };
}

test("numbers, amounts and fees are checked before they are sent", () => {
  expect(cardText("62220212-34567890128 9")).toBe("6222 0212 3456 7890 128");
  expect(cardProblem("6222 0212 3456 7890 128")).toBeUndefined();
  expect(cardProblem("6222 0212 3456 7890 129")).toBe("请输入正确的银行卡号");
  expect(cardProblem("")).toBe("请输入银行卡号");
  expect(amountProblem("99.99", TERMS)).toContain("100.00");
  expect(amountProblem("500.01", TERMS)).toBe("可提现 500.00 元，请修改金额");
  expect(amountProblem("500", TERMS)).toBeUndefined();
  expect(feeOf(123_456, TERMS)).toBe(123);
  expect(feeOf(10_000, { feeBp: 0, leastFee: 200 })).toBe(200);
});

test("income goes to a card, and the same click again is the same request (AC003, O03)", async () => {
  const { user, heard } = await open();
  expect(
    await within(await screen.findByRole("region", { name: "可提现" })).findByText("500.00"),
  ).toBeInTheDocument();
  await user.click(await screen.findByRole("button", { name: "申请提现" }));
  const dialog = await screen.findByRole("dialog", { name: "申请提现" });
  const amount = within(dialog).getByLabelText("提现金额（元）");
  await user.clear(amount);
  await user.type(amount, "300");
  expect(within(dialog).getByText("手续费 0.30 元，预计到账 299.70 元")).toBeInTheDocument();
  await user.click(within(dialog).getByRole("button", { name: "提交申请" }));
  await screen.findByText("提现申请已提交，审核后打款");
  const asked = heard.filter(({ name }) => name === "manualCheck");
  expect(asked[0]?.form).toMatchObject({ cardId: "c1", amount: "30000" });
  expect(asked[0]?.form.requestNo).toMatch(/^[0-9a-f-]{36}$/);
});

test("a card is bound under the certified name", async () => {
  const { user, heard } = await open({ cards: [] });
  expect(screen.getByRole("button", { name: "申请提现" })).toBeDisabled();
  const bind = await screen.findByRole("button", { name: "绑定银行卡" });
  await waitFor(() => expect(bind).toBeEnabled());
  await user.click(bind);
  const dialog = await screen.findByRole("dialog", { name: "绑定银行卡" });
  await user.click(within(dialog).getByRole("button", { name: "绑定" }));
  expect(await within(dialog).findByText("请输入银行卡号")).toBeInTheDocument();
  await user.type(within(dialog).getByLabelText("银行卡号"), "6222021234567890128");
  await user.type(within(dialog).getByLabelText("持卡人"), "张三丰");
  await user.click(within(dialog).getByRole("button", { name: "绑定" }));
  await screen.findByText("银行卡已绑定");
  expect(heard.find(({ name }) => name === "add")?.form).toMatchObject({ holder: "张三丰" });
});

test("whoever is not certified is told to be", async () => {
  await open({ cards: [], checkStatus: 3 });
  expect(await screen.findByRole("link", { name: "去认证" })).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "绑定银行卡" })).toBeDisabled();
});

test("each withdrawal stands with its state, and what nobody has looked at can be taken back (P24)", async () => {
  const rows = [
    withdrawal(),
    withdrawal({ id: "w2", state: "refused", reason: "卡号与户名不符" }),
    withdrawal({ id: "w3", state: "paid", reference: "ICBC-1" }),
  ];
  const { user, heard } = await open({ rows });
  expect(await screen.findByText("卡号与户名不符")).toBeInTheDocument();
  expect(screen.getByText("流水号 ICBC-1")).toBeInTheDocument();
  expect(await findings()).toEqual([]);
  await user.click(screen.getByRole("button", { name: "撤回" }));
  const dialog = await screen.findByRole("dialog", { name: "撤回提现申请" });
  await user.click(within(dialog).getByRole("button", { name: "撤回" }));
  await screen.findByText("申请已撤回，金额已退回可用收入");
  expect(heard.find(({ name }) => name === "cancel")?.form).toMatchObject({ withdrawalId: "w1" });
});

test("coming back to the window: what was decided meanwhile is read", async () => {
  const rows = [withdrawal()];
  const { heard } = await open({ rows });
  await screen.findByRole("button", { name: "撤回" });
  vi.spyOn(Date, "now").mockReturnValue(Date.now() + 60_000);
  const reads = () => heard.filter(({ name }) => name === "withdrawList").length;
  const before = reads();
  fireEvent.focus(window);
  await waitFor(() => expect(reads()).toBe(before + 1));
});
