import { fireEvent, screen, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { findings } from "@/test/axe";
import { article, card, contentAnswers, listOf } from "@/test/content";
import { answer } from "@/test/server";
import { frameAnswers, openSite } from "@/test/site";

const ADDRESS = "/promotionPage/assetManage";
const own = card({ id: "3001", kind: "product", slug: "assetmanage", title: "三维资产管理", path: ADDRESS });
const blocks = [
  { type: "text", text: [{ text: "先摸清家底。" }] },
  { type: "action", path: "/workbench/myUpload", label: "从一个文件开始" },
];

afterEach(() => localStorage.clear());

function serve(answers: Parameters<typeof answer>[0]) {
  return answer({
    ...frameAnswers(),
    ...contentAnswers({ list: listOf(own), detail: { datas: article(blocks, { card: own }) } }),
    ...answers,
  });
}

test("somebody without an account asks to be called, and is told that it was handed in (P57, P58)", async () => {
  let open = false;
  const heard = serve({
    saveApplicationRecord: () => {
      open = true;
      return {};
    },
    isSubmitted: () => ({ datas: open }),
  });
  const { user } = openSite(ADDRESS);
  const form = within(await screen.findByRole("form", { name: "申请资产管理" }));
  // without a stored application the browser asks nothing
  expect(heard.some((call) => call.name === "isSubmitted")).toBe(false);
  // the form replaces the article's own call to action
  expect(screen.getByText("先摸清家底。")).toBeInTheDocument();
  expect(screen.queryByRole("link", { name: "从一个文件开始" })).not.toBeInTheDocument();
  expect(screen.getByRole("link", { name: "申请资产管理" })).toHaveAttribute("href", `${ADDRESS}#ask`);
  await user.click(form.getByRole("button", { name: "提交申请" }));
  for (const missing of ["请填写企业名称", "请填写联系人", "请填写手机号", "请填写需求说明"])
    expect(await form.findByText(missing)).toBeInTheDocument();
  expect(await findings(screen.getByRole("main"))).toEqual([]);
  const fill = (label: string, value: string) =>
    fireEvent.change(form.getByLabelText(label), { target: { value } });
  fill("企业名称", "北岸机械");
  fill("联系人", "周宁");
  fill("手机号", "128 0013 8000");
  fill("需求说明", "两千个零件要能检索");
  await user.click(form.getByRole("button", { name: "提交申请" }));
  expect(await form.findByText("手机号格式不正确，请填写 11 位手机号")).toBeInTheDocument();
  fill("手机号", "138 0013 8000");
  await user.click(form.getByRole("button", { name: "提交申请" }));
  expect(await screen.findByText("申请已提交")).toBeInTheDocument();
  const sent = heard.find((call) => call.name === "saveApplicationRecord")?.form ?? {};
  expect(sent).toMatchObject({ companyName: "北岸机械", contactName: "周宁", contactPhone: "13800138000" });
  expect(sent.visitorId).toMatch(/^[0-9a-f]{32}$/);
  expect(heard.find((call) => call.name === "isSubmitted")?.form.visitorId).toBe(sent.visitorId);
});

test("a number that has asked from elsewhere is told so, and who comes back sees that it is open", async () => {
  const told = "您已提交过申请，我们会尽快与您联系";
  serve({ saveApplicationRecord: { code: 60105, message: told } });
  const first = openSite(ADDRESS);
  const form = within(await screen.findByRole("form", { name: "申请资产管理" }));
  for (const [label, value] of [
    ["企业名称", "北岸机械"],
    ["联系人", "周宁"],
    ["手机号", "13800138000"],
    ["需求说明", "检索"],
  ] as const)
    fireEvent.change(form.getByLabelText(label), { target: { value } });
  await first.user.click(form.getByRole("button", { name: "提交申请" }));
  expect(await form.findByText(told)).toBeInTheDocument();
  expect(localStorage.getItem("assetApplicant")).toBeNull();
});

test("who has handed in before sees it instead of the form", async () => {
  localStorage.setItem("assetApplicant", "0123456789abcdef0123456789abcdef");
  serve({ isSubmitted: { datas: true } });
  openSite(ADDRESS);
  expect(await screen.findByText("申请已提交")).toBeInTheDocument();
  expect(screen.queryByRole("form", { name: "申请资产管理" })).not.toBeInTheDocument();
});
