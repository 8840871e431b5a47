import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { answer } from "@/test/server";
import { frameAnswers, openSite } from "@/test/site";
import { makerKind } from "./words";

it.each([
  ["the server shows no such author", { code: 60104, message: "作者不存在" }, "作者暂时不可查看", false],
  ["the network is down", "network error" as const, "作者没有读取成功", true],
])("an author's page when %s", async (_, reply, title, again) => {
  const list = { datas: { totalCount: 0, results: [] } };
  answer({ ...frameAnswers(), list, author: reply });
  openSite("/transaction/author?userId=u9&type=2", { signedIn: true });
  expect(await screen.findByRole("heading", { level: 1, name: title })).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "重试" }) !== null).toBe(again);
  expect(screen.queryByText("作者不存在")).toBeNull();
});

it("whoever is no modeler is not called one", () => {
  expect([0, 1, 2, 9].map(makerKind)).toEqual(["作者", "玄览云自营", "个人模型师", "作者"]);
});
