import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { answer } from "@/test/server";
import { shopAnswers } from "@/test/shop";
import { frameAnswers, openSite } from "@/test/site";

test("the membership agreement is a page and states every term of the specification (AG001)", async () => {
  answer(frameAnswers());
  openSite("/agreement");
  const text = (await screen.findByRole("article")).textContent ?? "";
  for (const [row, ...terms] of [
    ["AG002", "基础会员、高级会员、专业会员"],
    ["AG003", "自开通之日起 1 年"],
    ["AG004", "不支持退款"],
    ["AG005", "再次购买同一等级"],
    ["AG006", "另行付费"],
    ["AG007", "不得将账号出借、与他人共享", "转卖账号"],
    ["AG008", "实际支付的费用为上限"],
    ["AG009", "服务终止后，数据保留 15 天"],
    ["AG010", "计划内维护需要中断服务的，提前 24 小时通知"],
    ["AG011", "重大变更的，提前 30 天通知"],
    ["AG012", "转让本协议项下权利义务的，提前 90 天通知"],
    ["AG013", "不可抗力持续 30 个自然日的，任何一方可以通知对方终止本协议"],
  ]) {
    for (const term of terms) expect(text, row).toContain(term);
  }
});

test("the price page sells a year of each edition, the free one at 0 (GR001, GR006, GR015, GR024)", async () => {
  answer(shopAnswers());
  openSite("/pricePage");
  const priceOf = async (edition: string) =>
    (await screen.findByRole("heading", { name: edition })).parentElement?.parentElement;
  await waitFor(async () => expect(await priceOf("基础会员")).toHaveTextContent("¥299/年"));
  expect(await priceOf("免费版")).toHaveTextContent("¥0");
  expect(await priceOf("高级会员")).toHaveTextContent("¥699/年");
  expect(await priceOf("专业会员")).toHaveTextContent("¥1,699/年");
});

// GR002 to GR004, GR007 to GR009, GR016 to GR018, GR025 to GR027: space and sizes; MB027, AM026: tenths; AM052, AM082
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
  // currently free for all users; below it what each edition will count
  const later = ["按次付费", "单价 9 折", "单价 7 折", "单价 5 折"];
  expect(row(/^倾斜摄影轻量化/)).toEqual(later.map((then) => `限时免费，不限次数恢复计次后：${then}`));
  expect(row(/^处理接口调用/)).toEqual(["—不含", "10,000 次", "20,000 次", "50,000 次"]);
  expect(row(/^付费模型下载/)).toEqual(["—不含", "50 个", "150 个", "500 个"]);
});

test("the contact part of about us is there under its anchor", async () => {
  answer(frameAnswers());
  openSite("/applicationCenter/aboutUs#contactUs");
  await waitFor(() => expect(document.getElementById("contactUs")).toHaveTextContent("联系我们"));
});
