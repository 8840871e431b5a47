import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { answer } from "@/test/server";
import { shopAnswers } from "@/test/shop";
import { frameAnswers, openSite } from "@/test/site";

test("the membership agreement states every term of the specification", async () => {
  answer(frameAnswers());
  openSite("/agreement");
  const text = (await screen.findByRole("article")).textContent ?? "";
  for (const term of [
    "基础会员、高级会员、专业会员",
    "自开通之日起 1 年",
    "不支持退款",
    "再次购买同一等级",
    "另行付费",
    "不得将账号出借、与他人共享",
    "转卖账号",
    "实际支付的费用为上限",
    "数据保留 15 天",
    "提前 24 小时",
    "提前 30 天",
    "提前 90 天",
    "30 个自然日",
  ]) {
    expect(text).toContain(term);
  }
});

test("the comparison table holds the grades of the server's list", async () => {
  answer(shopAnswers());
  openSite("/pricePage");
  const table = within(await screen.findByRole("table"));
  const row = (name: RegExp) =>
    within(table.getByRole("row", { name }))
      .getAllByRole("cell")
      .map((cell) => cell.textContent);
  await waitFor(() => expect(row(/^存储空间/)).toContain("5 TB"));
  expect(row(/^存储空间/)).toEqual(["10 GB", "500 GB", "1 TB", "5 TB"]);
  expect(row(/^单个模型大小/)).toEqual(["300 MB", "500 MB", "500 MB", "500 MB"]);
  expect(row(/^倾斜摄影大小/)).toEqual([
    "5 GB",
    "20 GB（仅客户端）",
    "50 GB（仅客户端）",
    "100 GB（仅客户端）",
  ]);
  expect(row(/^倾斜摄影轻量化/)).toEqual(["—不含", "9 折", "7 折", "5 折"]);
  expect(row(/^处理接口调用/)).toEqual(["—不含", "10,000 次", "20,000 次", "50,000 次"]);
  expect(row(/^付费模型下载/)).toEqual(["—不含", "50 个", "150 个", "500 个"]);
});

test("help is searched by what it says, and an empty result names a way on", async () => {
  answer(frameAnswers());
  const { user } = openSite("/helpCenter");
  const field = await screen.findByRole("searchbox", { name: "搜索帮助" });
  await user.type(field, "断网");
  const list = within(screen.getByRole("navigation", { name: "帮助目录" }));
  expect(list.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual([
    "/helpCenter?id=resume",
  ]);
  await user.clear(field);
  await user.type(field, "zzzz");
  expect(await screen.findByText("没有找到相关内容")).toBeInTheDocument();
});

test("the address of an appeal opens its article", async () => {
  answer(frameAnswers());
  openSite("/helpCenter?id=appeal");
  const article = within(await screen.findByRole("article"));
  expect(article.getByRole("heading", { name: "对体检结果有疑问" })).toBeInTheDocument();
});

test("the contact part of about us is there under its anchor", async () => {
  answer(frameAnswers());
  openSite("/applicationCenter/aboutUs#contactUs");
  await waitFor(() => expect(document.getElementById("contactUs")).toHaveTextContent("联系我们"));
});
