import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { answer } from "@/test/server";
import { frameAnswers, openSite } from "@/test/site";

const review = {
  reviewId: "r1",
  stars: 4,
  content: "M8 螺纹准确",
  answer: "谢谢支持",
  createdAt: 1_790_000_000_000,
};
const rating = { review, listingId: "m1", listingName: "行星齿轮组", hiddenReason: "广告" };

test("reviews lead to their models, and are narrowed by text, stars and days", async () => {
  const heard = answer({ ...frameAnswers(), mine: { datas: { totalCount: 1, results: [rating] } } });
  const address = "/workbench/transaction/myRatings?keyword=M8&from=2026-11-01&to=2026-11-02";
  const { user, at } = openSite(`${address}&page=2`, { signedIn: true });
  const row = within(await screen.findByRole("row", { name: /4 星 M8 螺纹准确.*已隐藏：广告 谢谢支持/ }));
  expect(row.getByRole("link", { name: "行星齿轮组" })).toHaveAttribute("href", "/transaction/detail?id=m1");
  await user.click(screen.getByRole("combobox", { name: "星级" }));
  await user.click(screen.getByRole("option", { name: "4 星" }));
  const asked = () => heard.filter(({ name }) => name === "mine").at(-1)?.form;
  await waitFor(() => expect(asked()).toMatchObject({ keyword: "M8", stars: "4", pageNo: "1" }));
  expect(Number(asked()?.endTime) - Number(asked()?.beginTime)).toBe(2 * 24 * 3600 * 1000);
  expect(at()).toBe(`${address}&stars=4`);
});
