import { screen, waitFor, within } from "@testing-library/react";
import { QRCodeSVG } from "qrcode.react";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeEach, expect, test } from "vitest";
import { getConfig, setConfig } from "@/api/config";
import type { WorksShare } from "@/calls/works";
import { findings } from "@/test/axe";
import { answer, type HeardCall } from "@/test/server";
import { frameAnswers, openSite } from "@/test/site";
import { endsWithin, formOf, frameCode, fresh, problemsOf, readOptions, scriptCode } from "./shareRules";

const EMBED = "https://embed.test";
const DAY = 86_400_000;
const ID = "0123456789abcdef0123456789abcdef";

beforeEach(() => void setConfig({ ...getConfig(), embedUrl: EMBED }));

const share = (change: Partial<WorksShare> = {}): WorksShare => ({
  shareId: ID,
  worksId: "w1",
  worksName: "旋转木马",
  worksPreview: "",
  state: "open",
  hasPassword: true,
  endsAt: 1_790_000_000_000,
  maxViews: 10,
  views: 3,
  domains: ["a.test"],
  options: '{"autostart":true,"width":0,"height":480}',
  createdAt: 1_789_000_000_000,
  revokedAt: 0,
  framed: true,
  ...change,
});

const shares = (results: WorksShare[], longest = 3 * DAY) => ({
  datas: { totalCount: results.length, results, longest },
});

const answers = {
  ...frameAnswers(),
  mineDetail: { datas: { card: { id: "w1", name: "旋转木马" }, state: "published", visibility: "public" } },
  list: shares([]),
  preview: { datas: { preview: "p1" } },
  looks: { datas: { totalCount: 1, results: [{ at: 1_789_500_000_000, host: "a.test", seconds: 75 }] } },
};

const last = (heard: HeardCall[], name: string) => heard.filter((call) => call.name === name).at(-1)?.form;

test("a share is made with what limits it; in the free edition it ends after three days", async () => {
  const heard = answer({ ...answers, create: { datas: share() } });
  const { user } = openSite("/workbench/myWorks?share=w1", { signedIn: true });
  const form = within(await screen.findByRole("form", { name: "分享设置" }));
  expect(form.getByText("免费版最长 3 天，会员不限")).toBeInTheDocument();
  expect(screen.getByText(/此前已经取得的模型地址会在 10 分钟内失效/)).toBeInTheDocument();
  await user.type(form.getByRole("textbox", { name: "访问密码" }), "abc");
  await user.click(form.getByRole("button", { name: "创建分享" }));
  expect(await form.findByText("密码为 4 到 32 个字符")).toBeInTheDocument();
  expect(last(heard, "create")).toBeUndefined();
  await user.type(form.getByRole("textbox", { name: "访问密码" }), "d");
  await user.type(form.getByRole("textbox", { name: "可以嵌入的域名" }), "a.test");
  await user.click(form.getByRole("checkbox", { name: "线框" }));
  expect(await findings()).toEqual([]);
  await user.click(form.getByRole("button", { name: "创建分享" }));
  await waitFor(() =>
    expect(last(heard, "create")).toMatchObject({ worksId: "w1", password: "abcd", domains: "a.test" }),
  );
  const sent = last(heard, "create");
  expect(JSON.parse(sent?.options ?? "{}").tools).toEqual(["reset", "animation", "screenshot", "fullscreen"]);
  expect(Number(sent?.endsAt)).toBeGreaterThan(Date.now() + 2 * DAY);
});

test("a share has a link, the QR code of the same address, code, a preview, and those who looked", async () => {
  answer({ ...answers, list: shares([share()]) });
  openSite("/workbench/myWorks?share=w1", { signedIn: true });
  const url = `${EMBED}/e/${ID}`;
  expect(await screen.findByText(url)).toBeInTheDocument();
  const code = await screen.findByRole("img", { name: "用手机打开二维码" });
  const expected = new DOMParser().parseFromString(
    renderToStaticMarkup(<QRCodeSVG value={url} size={128} level="M" />),
    "image/svg+xml",
  );
  expect([...code.querySelectorAll("path")].map((path) => path.getAttribute("d"))).toEqual(
    [...expected.querySelectorAll("path")].map((path) => path.getAttribute("d")),
  );
  expect(await screen.findByTitle("预览：旋转木马")).toHaveAttribute("src", `${url}?preview=p1`);
  expect(await screen.findByText("1 分 15 秒")).toBeInTheDocument();
});

test("what is changed is sent, the password only when it is; a share is revoked after a question", async () => {
  const heard = answer({
    ...answers,
    list: shares([share(), share({ shareId: "f".repeat(32), state: "revoked" })], 0),
    change: { datas: share() },
    revoke: { datas: share({ state: "revoked" }) },
  });
  const { user } = openSite("/workbench/myWorks?share=w1", { signedIn: true });
  const form = within(await screen.findByRole("form", { name: "分享设置" }));
  const views = await form.findByRole("textbox", { name: "最多访问次数" });
  await user.clear(views);
  await user.click(form.getByRole("button", { name: "保存" }));
  await waitFor(() => expect(last(heard, "change")).toMatchObject({ shareId: ID, maxViews: "0" }));
  expect(last(heard, "change")).not.toHaveProperty("password");
  expect(last(heard, "change")).not.toHaveProperty("endsAt");
  const table = within(screen.getByRole("table", { name: "分享列表" }));
  expect(table.getByText("已撤销")).toBeInTheDocument();
  await user.click(table.getByRole("button", { name: /^撤销/ }));
  const sure = within(await screen.findByRole("dialog", { name: "撤销这个分享" }));
  expect(last(heard, "revoke")).toBeUndefined();
  await user.click(sure.getByRole("button", { name: "撤销" }));
  await waitFor(() => expect(last(heard, "revoke")).toMatchObject({ shareId: ID }));
});

test("a work that is not shown is not shared", async () => {
  answer({
    ...answers,
    mineDetail: { datas: { card: { id: "w1", name: "旋转木马" }, state: "withdrawn" } },
  });
  openSite("/workbench/myWorks?share=w1", { signedIn: true });
  expect(await screen.findByText("作品还没有展示")).toBeInTheDocument();
  expect(screen.queryByRole("form", { name: "分享设置" })).toBeNull();
});

test("without an address of shared works nothing is shared", async () => {
  setConfig({ ...getConfig(), embedUrl: "" });
  answer(answers);
  openSite("/workbench/myWorks?share=w1", { signedIn: true });
  expect(await screen.findByText("本站没有开通分享")).toBeInTheDocument();
});

test("all shares stand in one list", async () => {
  answer({ ...answers, list: shares([share({ framed: false, domains: [] })]) });
  openSite("/workbench/myWorks?share=", { signedIn: true });
  expect(await screen.findByRole("link", { name: "旋转木马" })).toHaveAttribute(
    "href",
    "/workbench/myWorks?share=w1",
  );
  expect(screen.getByText(/不可嵌入/)).toBeInTheDocument();
});

test("the code names the address and nothing that a name could add", () => {
  const options = { ...readOptions(""), width: 640, height: 360 };
  const name = '"><script>alert(1)</script>';
  expect(frameCode(`${EMBED}/e/x`, name, options)).toContain('width="640" height="360"');
  expect(frameCode(`${EMBED}/e/x`, name, options)).not.toContain("<script>");
  expect(scriptCode(EMBED, `${EMBED}/e/x`, name, options)).not.toContain("<script>alert");
  expect(endsWithin(3 * DAY).map(({ value }) => value)).toEqual(["1", "3"]);
  expect(endsWithin(0)).toHaveLength(5);
  const values = { ...fresh(0), maxViews: "0", options };
  expect(problemsOf(values).maxViews).toBeDefined();
  expect(formOf({ ...values, maxViews: "", domains: "a.test\n b.test，c.test" }, 0)).toMatchObject({
    endsAt: 0,
    domains: "a.test,b.test,c.test",
  });
});
