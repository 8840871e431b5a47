import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { setConfig } from "@/api/config";
import { answer } from "@/test/server";
import { testConfig } from "@/test/setup";
import { frameAnswers, openSite } from "@/test/site";
import { safeHref } from "@/ui/safeHref";

test("the friend links are those of the server, in its order, each under its name (HD022, HD023)", async () => {
  answer({
    ...frameAnswers(),
    friendlinkList: {
      datas: [
        { id: "2", name: "乙", link: "https://b.example.cn/x" },
        { id: "1", name: "甲", link: "a.example.cn" },
      ],
    },
  });
  openSite("/siteMap");
  const links = within(await screen.findByRole("navigation", { name: "友情链接" })).getAllByRole("link");
  expect(links.map((link) => [link.textContent, link.getAttribute("href")])).toEqual([
    ["乙", "https://b.example.cn/x"],
    ["甲", "https://a.example.cn/"],
  ]);
});

test("a friend link that would run script is left out", async () => {
  answer({
    ...frameAnswers(),
    friendlinkList: {
      datas: [
        { id: "1", name: "坏", link: "javascript:alert(1)//https://" },
        { id: "2", name: "好", link: "https://b.example.cn/" },
      ],
    },
  });
  openSite("/siteMap");
  const links = within(await screen.findByRole("navigation", { name: "友情链接" })).getAllByRole("link");
  expect(links.map((link) => link.textContent)).toEqual(["好"]);
});

test("only web addresses become links", () => {
  expect(safeHref("https://a.cn/x?y=1")).toBe("https://a.cn/x?y=1");
  expect(safeHref(" a.cn ")).toBe("https://a.cn/");
  for (const bad of [
    "",
    null,
    undefined,
    "javascript://a.cn/%0aalert(1)",
    "data:text/html,x",
    "ftp://a.cn",
    "https://",
  ]) {
    expect(safeHref(bad)).toBeUndefined();
  }
});

test("contact details, copyright and record number are shown (HD024, HD025)", async () => {
  setConfig({
    ...testConfig,
    hotline: "400-800-1234",
    icp: "浙ICP备00000000号",
    contact: { email: "hello@xuanlan.test", address: "杭州" },
  });
  answer(frameAnswers());
  openSite("/siteMap");
  const foot = within(await screen.findByRole("contentinfo"));
  expect(foot.getByRole("link", { name: "400-800-1234" })).toHaveAttribute("href", "tel:4008001234");
  expect(foot.getByRole("link", { name: "hello@xuanlan.test" })).toBeInTheDocument();
  expect(foot.getByText(/杭州/)).toBeInTheDocument();
  expect(foot.getByText(/^© \d{4} 玄览云$/)).toBeInTheDocument();
  expect(foot.getByText("浙ICP备00000000号")).toBeInTheDocument();
  expect(foot.getByRole("link", { name: "平台保密协议" })).toHaveAttribute("href", "/secrecy");
});

test("contact leads to its part of about us (HD009); what is not configured is left out", async () => {
  answer(frameAnswers());
  const { user, at } = openSite("/siteMap");
  const foot = within(await screen.findByRole("contentinfo"));
  for (const text of [/热线/, /邮箱/, /地址/, /ICP/]) expect(foot.queryByText(text)).toBeNull();
  expect(foot.queryByRole("img", { name: /二维码/ })).toBeNull();
  await user.click(foot.getByRole("link", { name: "联系方式" }));
  expect(at()).toBe("/applicationCenter/aboutUs#contactUs");
  expect(await screen.findByText(/^这个站点还没有公布联系方式/)).toBeInTheDocument();
});
