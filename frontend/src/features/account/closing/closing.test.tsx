import { screen, waitFor, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { ClosingBanner } from "@/features/closing";
import { syncSession } from "@/session";
import { writeLogin } from "@/session/cookies";
import { renderPage } from "@/test/render";
import { answer } from "@/test/server";
import { frameAnswers } from "@/test/site";
import { standIn } from "@/test/standIn";
import { TakeAlongPanel } from "../takeAlong/TakeAlongPanel";
import { ClosingPanel } from "./ClosingPanel";

const DUE = new Date(2026, 11, 8, 9, 30).getTime();

function open(losses: object | null) {
  writeLogin("tok", "u1");
  let waiting = false;
  const closure = () => ({
    datas: {
      state: waiting ? "waiting" : "none",
      requestedAt: waiting ? DUE - 15 * 86_400_000 : 0,
      dueAt: waiting ? DUE : 0,
      days: 15,
      losses,
    },
  });
  const calls = answer({
    ...frameAnswers(),
    state: closure,
    start: () => {
      waiting = true;
      return closure();
    },
    cancel: () => {
      waiting = false;
      return closure();
    },
  });
  const page = renderPage(
    <>
      <ClosingBanner />
      <TakeAlongPanel />
      <ClosingPanel />
    </>,
  );
  page.store.dispatch(syncSession());
  const sent = (name: string) => calls.filter((call) => call.name === name);
  return { ...page, sent };
}

it("says what is lost, wants consent, and shows the way back until the account ends", async () => {
  const { user, sent } = open({
    cloudCoin: 12_345,
    incomeBalance: 0,
    unPayOrders: 2,
    coupons: 0,
    certificationUnderReview: true,
  });
  await user.click(await screen.findByRole("button", { name: "注销账号" }));
  const dialog = within(await screen.findByRole("dialog", { name: "注销账号" }));
  const list = within(await dialog.findByRole("list", { name: "注销后果" }));
  expect(list.getByText("余下的 123.45 云币作废，不能退回")).toBeVisible();
  expect(list.getByText("2 个待支付订单会被取消")).toBeVisible();
  expect(list.getByText("审核中的认证会被撤回")).toBeVisible();
  expect(list.queryByText(/收益|优惠券/)).toBeNull();
  // the last step looks no more harmless than the one before
  expect(dialog.getByRole("button", { name: "申请注销" })).toHaveClass("MuiButton-colorError");
  await user.click(dialog.getByRole("button", { name: "申请注销" }));
  expect(dialog.getByText("请先阅读并同意注销后果")).toBeVisible();
  expect(sent("start")).toEqual([]);
  await user.click(dialog.getByRole("checkbox"));
  await user.click(dialog.getByRole("button", { name: "申请注销" }));
  const said = await screen.findByText("账号将于 2026-12-08 09:30 注销，届时数据全部删除且无法恢复。");
  expect(said).toBeVisible();
  expect(sent("start")[0]?.form).toMatchObject({ acknowledged: "true" });
  // The closing dialog's message is an alert too.
  const banner = within(said.closest<HTMLElement>("[role=alert]") ?? said);
  await user.click(banner.getByRole("button", { name: "撤销注销" }));
  await waitFor(() => expect(sent("cancel")).toHaveLength(1));
  expect(await screen.findByText("提交后有 15 天可以反悔")).toBeVisible();
});

it("still says what is lost when balances cannot be asked, and offers to take the data along first", async () => {
  const { user } = open(null);
  await user.click(await screen.findByRole("button", { name: "注销账号" }));
  expect(await screen.findByText(/暂时无法查询余额与订单/)).toBeVisible();
  const offered = vi.fn();
  standIn(Element.prototype, "scrollIntoView", offered);
  await user.click(screen.getByRole("button", { name: "先取走我的数据" }));
  expect(offered).toHaveBeenCalledOnce();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});
