import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { maker, publishAnswers } from "@/test/publish";
import { answer } from "@/test/server";
import { openSite } from "@/test/site";

const PAGE = "/publishCenter/details?listingId=l1";
const listed = (listing: object = {}) =>
  maker({ state: "listed", versionState: "ready" }, { price: 100, categoryId: "c1001", ...listing });

it("the form tells what is wrong when a field is left or too long, and keeps a saved price", async () => {
  const heard = answer(publishAnswers([], listed({ intro: "十二齿" })));
  const { user } = openSite(PAGE, { signedIn: true });
  const price = await screen.findByRole("textbox", { name: "价格" });
  await user.clear(price);
  await user.type(price, "19,9x");
  expect(price).toHaveValue("19,9");
  expect(price).not.toHaveAttribute("aria-invalid", "true");
  await user.tab();
  expect(price).toHaveAttribute("aria-invalid", "true");
  await user.clear(price);
  await user.tab();
  expect(screen.getByText("价格不能清空，免费请填 0")).toBeInTheDocument();
  fireEvent.change(screen.getByRole("textbox", { name: "一句话介绍" }), {
    target: { value: "齿".repeat(101) },
  });
  expect(screen.getByText("一句话介绍最多 100 个字符")).toBeInTheDocument();
  fireEvent.change(screen.getByRole("textbox", { name: "一句话介绍" }), { target: { value: "新" } });
  expect(screen.queryByText("一句话介绍最多 100 个字符")).toBeNull();
  await user.click(screen.getByRole("button", { name: "保存" }));
  expect(price).toHaveAttribute("aria-invalid", "true");
  expect(heard.some(({ name }) => name === "save")).toBe(false);
});

it("the category is marked as required, and Enter takes the nearest one", async () => {
  answer(publishAnswers([], maker()));
  const { user } = openSite(PAGE, { signedIn: true });
  const category = await screen.findByRole("combobox", { name: "分类" });
  expect(category).toBeRequired();
  await user.type(category, "齿轮{Enter}");
  expect(category).toHaveValue("机械零件 / 齿轮与传动");
});

it.each([PAGE, "/publishCenter/toBeReleased", "/publishCenter"])(
  "a frozen maker is told at %s",
  async (address) => {
    answer({
      ...publishAnswers([listed()]),
      isFreeze: { datas: true },
      info: { datas: { frozenReason: "多次上传他人作品" } },
    });
    openSite(address, { signedIn: true });
    expect(await screen.findByText(/账号已被冻结.*原因：多次上传他人作品。/)).toBeInTheDocument();
  },
);

it("listed models lead to the mall, and a long reason is there in whole", async () => {
  const reason = "分类不正确".repeat(40);
  answer(
    publishAnswers([
      maker({ state: "listed", reason }, { listingId: "l1" }),
      maker({ state: "withdrawn" }, { listingId: "l2", name: "球阀" }),
    ]),
  );
  openSite("/publishCenter/toBeReleased?isRelase=true", { signedIn: true });
  const row = async (name: string) =>
    within((await screen.findByRole("link", { name })).closest("tr") as HTMLElement);
  expect((await row("行星齿轮组")).getByRole("link", { name: "在商城查看 行星齿轮组" })).toHaveAttribute(
    "href",
    "/transaction/detail?id=l1",
  );
  expect((await row("球阀")).queryByRole("link", { name: /在商城查看/ })).toBeNull();
  expect(screen.getByText(reason)).toHaveAttribute("title", reason);
});

it("the page of a listed model leads to the mall, and tells what was taken back from what was taken off", async () => {
  const deed = (action: string, at: number) => ({ action, at, reason: "", version: 1 });
  const records = [deed("cleared", 5), deed("withdrawn", 4), deed("approved", 3), deed("withdrawn", 2)];
  answer(publishAnswers([], { ...listed(), records }));
  openSite(PAGE, { signedIn: true });
  expect(await screen.findByRole("link", { name: "在商城查看" })).toHaveAttribute(
    "href",
    "/transaction/detail?id=l1",
  );
  const lines = within(screen.getByRole("region", { name: "审核记录" })).getAllByRole("listitem");
  await waitFor(() =>
    expect(lines.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^平台恢复（下架无依据）/),
      expect.stringMatching(/^下架/),
      expect.stringMatching(/^审核通过/),
      expect.stringMatching(/^撤回审核/),
    ]),
  );
});
