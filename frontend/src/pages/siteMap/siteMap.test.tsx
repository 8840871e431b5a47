import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { answer } from "@/test/server";
import { frameAnswers, openSite } from "@/test/site";

test("the site map has each page once, in its group, and none that shows one thing", async () => {
  answer(frameAnswers());
  openSite("/siteMap");
  const heading = await screen.findByRole("heading", { level: 2, name: "模型商城" });
  const group = heading.closest("section");
  if (!group) throw new Error("no section");
  const links = within(group).getAllByRole("link");
  expect(links.map((link) => [link.textContent, link.getAttribute("href")])).toEqual([
    ["模型商城", "/transaction"],
    ["购物车", "/transaction/shoppingCart"],
    ["搜索模型", "/transaction/search"],
    ["模型盲盒", "/activity/blindBox"],
    ["支付", "/common/pay"],
    ["充值", "/common/recharge"],
  ]);
  expect(screen.getAllByRole("link", { name: "首页" })).toHaveLength(1);
});
