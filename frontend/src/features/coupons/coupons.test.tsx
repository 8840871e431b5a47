import { screen, waitFor, within } from "@testing-library/react";
import dayjs from "dayjs";
import { expect, test } from "vitest";
import { localStore } from "@/lib/storage";
import { answer } from "@/test/server";
import { coupon, gift, shopAnswers } from "@/test/shop";
import { openSite } from "@/test/site";

const HOUR_MS = 3600 * 1000;

test("who has not received the gift is offered it, takes it, and is led to it (CP007 to CP010)", async () => {
  let received = false;
  const heard = answer({
    ...shopAnswers(),
    hasBeenGotCombinationCoupons: () => ({ datas: received }),
    getCombinationCoupons: () => {
      received = true;
      return { datas: gift };
    },
    checkNeedMemberCouponUp: () => ({ datas: received }),
  });
  const { user, at } = openSite("/siteMap", { signedIn: true });
  const banner = within(await screen.findByRole("complementary", { name: "会员优惠券" }));
  await user.click(banner.getByRole("button", { name: "领取" }));
  const dialog = within(await screen.findByRole("dialog", { name: /送您三张会员优惠券/ }));
  for (const minimum of ["满 299 元可用", "满 699 元可用", "满 1,699 元可用"]) {
    expect(dialog.getByText(minimum)).toBeInTheDocument();
  }
  await user.click(dialog.getByRole("button", { name: "全部领取" }));
  expect(await screen.findByText("领取成功")).toBeInTheDocument();
  await waitFor(() => expect(screen.queryByRole("complementary", { name: "会员优惠券" })).toBeNull());
  await user.click(screen.getByRole("button", { name: "查看我的优惠券" }));
  expect(at()).toBe("/workbench/account/myCoupon");
  expect(heard.filter((call) => call.name === "getCombinationCoupons")).toHaveLength(1);
  // No reminder about coupons that were just received.
  expect(await screen.findByRole("list", { name: "可用的优惠券" })).toBeInTheDocument();
  expect(screen.queryByRole("dialog", { name: "优惠券待使用" })).toBeNull();
});

test("a gift that is refused shows the server's words (CP015)", async () => {
  answer({
    ...shopAnswers(),
    hasBeenGotCombinationCoupons: { datas: false },
    getCombinationCoupons: { code: 60105, message: "您已领取过优惠券" },
  });
  const { user } = openSite("/siteMap", { signedIn: true });
  await user.click(await screen.findByRole("button", { name: "领取" }));
  await user.click(await screen.findByRole("button", { name: "全部领取" }));
  expect(await screen.findByText("您已领取过优惠券")).toBeInTheDocument();
});

test("a banner that was closed today stays away", async () => {
  answer({ ...shopAnswers(), hasBeenGotCombinationCoupons: { datas: false } });
  const { user } = openSite("/siteMap", { signedIn: true });
  await user.click(await screen.findByRole("button", { name: "今天不再提示" }));
  expect(screen.queryByRole("complementary", { name: "会员优惠券" })).toBeNull();
  expect(Number(localStore.get("xuanlan.closed.gift.u1"))).toBeGreaterThan(0);
});

test("the page without coupons offers the gift until it is received", async () => {
  let received = false;
  answer({
    ...shopAnswers(),
    list: () => ({ datas: received ? gift : [] }),
    hasBeenGotCombinationCoupons: () => ({ datas: received }),
    getCombinationCoupons: () => {
      received = true;
      return { datas: gift };
    },
    checkNeedMemberCouponUp: { datas: false },
  });
  const { user } = openSite("/workbench/account/myCoupon", { signedIn: true });
  await user.click(await screen.findByRole("button", { name: "领取三张会员优惠券" }));
  await user.click(await screen.findByRole("button", { name: "全部领取" }));
  expect(await screen.findByRole("list", { name: "可用的优惠券", hidden: true })).toBeInTheDocument();
});

test("available, used and expired each have their tab", async () => {
  answer({
    ...shopAnswers(),
    list: {
      datas: [
        coupon({ couponId: "a", expireTime: Date.now() + HOUR_MS }),
        coupon({ couponId: "b", status: 3, name: "正在支付的券" }),
        coupon({ couponId: "c", status: 1, name: "用掉的券" }),
        coupon({ couponId: "d", status: 2, name: "过期的券" }),
        coupon({ couponId: "e", type: 2, discountValue: 85, name: "折扣券" }),
      ],
    },
  });
  const { user } = openSite("/workbench/account/myCoupon", { signedIn: true });
  const usable = within(await screen.findByRole("list", { name: "可用的优惠券" }));
  expect(usable.getAllByRole("listitem")).toHaveLength(3);
  expect(usable.getByText(/即将到期/)).toBeInTheDocument();
  expect(usable.getByText("支付中")).toBeInTheDocument();
  expect(usable.getByText("8.5 折")).toBeInTheDocument();
  await user.click(screen.getByRole("tab", { name: "已使用（1）" }));
  expect(await screen.findByText("用掉的券")).toBeInTheDocument();
  await user.click(screen.getByRole("tab", { name: "已过期（1）" }));
  expect(await screen.findByText("过期的券")).toBeInTheDocument();
});

test("the expiring-coupon dialog speaks of three coupons worth 330, once a day (CP012 to CP014)", async () => {
  const heard = answer({ ...shopAnswers(), checkCouponUpDeadlineSeven: { datas: true } });
  const asked = () => heard.filter((call) => call.name === "checkCouponUpDeadlineSeven").length;
  const { user } = openSite("/workbench/account/accoInforIndex", { signedIn: true });
  const dialog = await screen.findByRole("dialog", { name: "优惠券即将到期" });
  expect(dialog).toHaveTextContent("三张");
  expect(dialog).toHaveTextContent("330");
  await user.click(within(dialog).getByRole("button", { name: "知道了" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(asked()).toBe(1);
});

test.each([
  [0, false],
  [1, true],
])("closed %i days ago: asked %s (CP014, AM077)", async (days, expected) => {
  localStore.set("xuanlan.closed.expiring.u1", String(dayjs().subtract(days, "day").valueOf()));
  const heard = answer({ ...shopAnswers(), checkCouponUpDeadlineSeven: { datas: false } });
  openSite("/workbench/account/accoInforIndex", { signedIn: true });
  await waitFor(() => expect(heard.some((call) => call.name === "checkNeedMemberCouponUp")).toBe(true));
  expect(heard.some((call) => call.name === "checkCouponUpDeadlineSeven")).toBe(expected);
  const asked = heard.find((call) => call.name === "checkNeedMemberCouponUp")?.form;
  expect(asked).toEqual({ userId: "u1", D: expect.stringMatching(/^1\./) });
});

test("a voucher that waits is reminded of where the server says so (CP011)", async () => {
  answer({ ...shopAnswers(), checkNeedMemberCouponUp: { datas: true } });
  const { user, store } = openSite("/workbench/account/accoInforIndex", { signedIn: true });
  const dialog = within(await screen.findByRole("dialog", { name: "优惠券待使用" }));
  await user.click(dialog.getByRole("button", { name: "开通会员" }));
  expect(store.getState().shop.purchase.open).toBe(true);
});

test("an expired membership is told: the service has expired, privileges are paused (MB033)", async () => {
  answer(shopAnswers({ person: { memberStatus: 0 } }));
  openSite("/workbench/account/accoInforIndex", { signedIn: true });
  const dialog = await screen.findByRole("dialog", { name: "会员已到期" });
  expect(dialog).toHaveTextContent("您的 VIP 服务已到期，会员特权已暂停");
});
