import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { type Answer, answer } from "@/test/server";
import { frameAnswers, openSite } from "@/test/site";
import { certifiedOf } from "@/ui/CertifiedBadge";
import { checks, isCreditCode } from "./rules";

const record = (kind: string, checkStatus: number, changes: object = {}) => ({
  id: `${kind}-1`,
  kind,
  checkStatus,
  cause: checkStatus === 2 ? "证件照片不清晰，请重新拍摄后上传" : null,
  name: kind === "enterprise" ? "玄览测试有限公司" : "张*",
  number: kind === "enterprise" ? "9****************3" : "1****************X",
  legalPerson: "",
  contactPhone: "",
  direction: "",
  introduce: "",
  website: "",
  submittedAt: 1_790_000_000_000,
  decidedAt: checkStatus === 0 ? null : 1_790_000_600_000,
  ...changes,
});

function open(
  address: string,
  certifications: object[],
  changes: object = {},
  more: Record<string, Answer> = {},
) {
  const heard = answer({
    ...frameAnswers(changes),
    myCertification: { datas: { checkStatus: 3, certifications, triesLeft: 3 } },
    ...more,
  } as Parameters<typeof answer>[0]);
  return { heard, ...openSite(address, { signedIn: true }) };
}

const main = async () => within(await screen.findByRole("main"));
const heading = (name: string) => screen.findByRole("heading", { level: 1, name });

test("numbers, names and addresses are checked as the server checks them", () => {
  expect(checks.idCard("11010519491231002x")).toBeUndefined();
  expect(checks.idCard("110105194912310021")).toBe("请输入正确的身份证号");
  expect(checks.idCard(" ")).toBe("请输入身份证号");
  expect(isCreditCode("91350100m000100y43")).toBe(true);
  expect(isCreditCode("91100000M000100Y4U")).toBe(true);
  for (const wrong of ["91550100M000100Y4G", "91350100M000100Y44", "9135010OM000100Y43", "91350100M000100Y4"])
    expect(checks.creditCode(wrong)).toBe("请输入正确的统一社会信用代码");
  for (const right of ["张三", "阿依古丽·买买提", "O'Neil Smith"])
    expect(checks.realName(right)).toBeUndefined();
  for (const wrong of ["张", "张3", "<b>张三</b>", "·张三"])
    expect(checks.realName(wrong)).toBe("请输入正确的真实姓名");
  for (const right of ["010-62345678", "059187654321", "0591-87654321", "400-820-8820", "4008208820"])
    expect(checks.contactPhone(right)).toBeUndefined();
  for (const wrong of ["010-12345678", "62345678", "05918765432100", "400-820-882"])
    expect(checks.contactPhone(wrong)).toBe("请输入正确的联系电话");
  expect(checks.website("https://a.cn/x?y=1")).toBeUndefined();
  for (const wrong of ["http://a.cn", "https://", "javascript:alert(1)"])
    expect(checks.website(wrong)).toBeDefined();
});

test("a badge is for the certified alone (CE007)", () => {
  expect(certifiedOf(1, true)).toBe("enterprise");
  expect(certifiedOf("1", false)).toBe("personal");
  for (const other of [0, 2, 3, 9, null, undefined, ""]) expect(certifiedOf(other, true)).toBeUndefined();
});

test("who is certified has a badge at the avatar, in the dropdown and in the personal centre (CE002, CE003, CE007)", async () => {
  const company = { companyDetailInfo: { companyName: "玄览测试有限公司" } };
  const { user } = open("/workbench/account", [], { checkStatus: 1, ...company });
  const page = await main();
  expect(await page.findByText("企业认证")).toBeVisible();
  expect(page.getByText("已企业认证")).toBeVisible();
  expect(page.getByText("玄览测试有限公司")).toBeVisible();
  const bar = within(screen.getByRole("banner"));
  expect(await bar.findByRole("img", { name: "企业认证" })).toBeVisible();
  await user.click(bar.getByRole("button", { name: /我的账号/ }));
  expect(await bar.findByText("已企业认证")).toBeVisible();
  expect(bar.getByText("企业认证")).toBeVisible();
});

test("who has asked for nothing chooses; each way leads to a page of its own (CE005, CE009, CE010)", async () => {
  const { user, at } = open("/workbench/information?typeShow=1", []);
  await heading("实名认证");
  expect(screen.getByRole("banner")).toBeVisible();
  await user.click(await screen.findByRole("link", { name: /^个人认证/ }));
  await heading("个人认证");
  expect(await screen.findByRole("form", { name: "个人认证" })).toBeVisible();
  expect(at()).toBe("/workbench/information?kind=personal");
});

test("the firm's page asks for what stands on the licence, each with its message", async () => {
  const { user, heard } = open("/workbench/information/firm", []);
  await heading("企业认证");
  await user.click(await screen.findByRole("button", { name: "提交审核" }));
  for (const message of [
    "请输入企业名称",
    "请输入统一社会信用代码",
    "请输入法定代表人姓名",
    "请输入联系电话",
    "请上传营业执照",
    "请先阅读并同意证件信息的处理说明",
  ])
    expect(await screen.findByText(message)).toBeVisible();
  expect(heard.some(({ name }) => name === "authEnterprise")).toBe(false);
});

test("under review: how far it has come, masked, and a way to take it back (CE001)", async () => {
  const { user, heard } = open(
    "/workbench/information",
    [record("personal", 0)],
    { checkStatus: 0 },
    {
      withdrawCertification: { datas: { checkStatus: 3 } },
    },
  );
  const page = await main();
  expect(await page.findByText(/审核中/)).toBeVisible();
  expect(page.getByText("1****************X")).toBeVisible();
  await user.click(page.getByRole("button", { name: "撤回申请" }));
  await user.click(await screen.findByRole("button", { name: "撤回" }));
  await waitFor(() =>
    expect(heard.find(({ name }) => name === "withdrawCertification")?.form.id).toBe("personal-1"),
  );
});

test("rejected: the reason, and another try (CE004)", async () => {
  const { user, at } = open("/workbench/information", [record("personal", 2)], { checkStatus: 2 });
  const page = await main();
  expect(await page.findByText(/证件照片不清晰，请重新拍摄后上传/)).toBeVisible();
  expect(page.getByText("今天还可以提交 3 次")).toBeVisible();
  await user.click(page.getByRole("link", { name: "重新提交" }));
  expect(await screen.findByRole("form", { name: "个人认证" })).toBeVisible();
  expect(at()).toContain("kind=personal");
});

test("the reason stands at /unApprove too; a visitor is asked to sign in", async () => {
  open("/unApprove", [record("enterprise", 2)]);
  await heading("审核未通过");
  expect(await screen.findByText(/证件照片不清晰/)).toBeVisible();
});

test("authInfo shows enterprise, person and the notice, whatever the state (CE008)", async () => {
  open("/workbench/authInfo", [record("enterprise", 1), record("personal", 2)], { checkStatus: 1 });
  await heading("认证信息");
  const panel = async (name: string) => within(await screen.findByRole("region", { name }));
  expect((await panel("企业认证")).getByText("玄览测试有限公司")).toBeVisible();
  expect((await panel("个人认证")).getByText(/未通过原因/)).toBeVisible();
  expect((await panel("个人认证须知")).getByText(/审核后 30 天删除/)).toBeVisible();
});

test("developers prove their name first (CE011, HD019)", async () => {
  const { at } = open("/workbench/authInfo?nowType=MAKE_MODEL", []);
  expect(await screen.findByText(/开发者认证需要先完成实名认证/)).toBeVisible();
  expect(at()).toBe("/workbench/information?typeShow=1&for=developer");
});

test("a certified person's developer certification is asked for at authInfo (HD019)", async () => {
  const { user, heard } = open(
    "/workbench/authInfo?nowType=MAKE_MODEL",
    [record("personal", 1)],
    { checkStatus: 1 },
    {
      authDeveloper: { datas: { checkStatus: 0 } },
    },
  );
  await heading("开发者认证");
  const send = await screen.findByRole("button", { name: "提交审核" });
  await user.click(send);
  expect(await screen.findByText("请用10~500个字介绍您的开发经验")).toBeVisible();
  await user.type(screen.getByLabelText("开发经验"), "十年三维可视化插件开发经验");
  await user.click(screen.getByRole("radio", { name: /插件开发/ }));
  await user.click(send);
  await waitFor(() =>
    expect(heard.find(({ name }) => name === "authDeveloper")?.form).toMatchObject({ direction: "plugin" }),
  );
});

test.each([
  ["/workbench/information?kind=personal", "personal"],
  ["/workbench/information/firm?again=1", "enterprise"],
])("%s after a refusal says why above the new form", async (address, kind) => {
  open(address, [record(kind, 2)]);
  const page = await main();
  expect(await page.findByRole("button", { name: "提交审核" })).toBeInTheDocument();
  expect(page.getByRole("alert")).toHaveTextContent("未通过原因：证件照片不清晰，请重新拍摄后上传");
});

const firmRefused = (changes: object = {}) =>
  record("enterprise", 2, { submittedAt: 1_790_000_900_000, ...changes });
const region = async (name: string) => within(await screen.findByRole("region", { name }));

test("a certified person whose enterprise was refused sees both, each with its next step", async () => {
  open("/workbench/information", [firmRefused(), record("personal", 1)], { checkStatus: 1 });
  await heading("实名认证");
  expect((await region("个人认证")).getByText("已生效")).toBeVisible();
  const firm = await region("企业认证");
  expect(firm.getByRole("alert")).toHaveTextContent("未通过原因：证件照片不清晰");
  expect(firm.getByRole("link", { name: "重新提交" })).toHaveAttribute(
    "href",
    "/workbench/information/firm?again=1",
  );
  const [first] = screen.getAllByRole("region", { name: /认证$/ });
  expect(first).toHaveAccessibleName("个人认证");
});

test("a certified person whose enterprise is under review sees both, and is offered no second request", async () => {
  open("/workbench/information", [record("enterprise", 0), record("personal", 1)], { checkStatus: 1 });
  expect((await region("企业认证")).getByRole("button", { name: "撤回申请" })).toBeVisible();
  const person = await region("个人认证");
  expect(person.getByText("张*")).toBeVisible();
  expect(person.queryByRole("link", { name: "升级为企业认证" })).not.toBeInTheDocument();
});

test.each([
  ["certified", record("personal", 1)],
  ["under review", record("personal", 0)],
])(
  "who asks for the personal certification and is %s as a person sees that one, not the newer other",
  async (_state, own) => {
    open("/workbench/information?kind=personal", [firmRefused(), own]);
    await heading("个人认证");
    expect((await region("个人认证")).getByText("张*")).toBeVisible();
    expect(screen.queryByText("玄览测试有限公司")).not.toBeInTheDocument();
  },
);

test.each([
  ["/workbench/information?kind=personal", "enterprise", "企业认证正在审核，有结果或撤回后才能提交个人认证"],
  ["/workbench/information/firm", "personal", "个人认证正在审核，有结果或撤回后才能提交企业认证"],
])(
  "%s while the other kind is under review says so, above that record under its own title",
  async (address, kind, why) => {
    open(address, [record(kind, 0)]);
    expect(await screen.findByText(why)).toBeVisible();
    await heading("实名认证");
    expect(screen.getByRole("button", { name: "撤回申请" })).toBeVisible();
    expect(screen.queryByRole("button", { name: "提交审核" })).not.toBeInTheDocument();
  },
);

test("the chooser offers nothing that the server would refuse", async () => {
  open("/workbench/information?typeShow=1", [firmRefused(), record("personal", 1)], { checkStatus: 1 });
  expect((await region("个人认证")).getByText("已生效")).toBeVisible();
  expect(screen.queryByRole("link", { name: /^个人认证/ })).not.toBeInTheDocument();
});

test("a refused person who is certified as an enterprise is not asked to try again", async () => {
  open("/workbench/information?kind=personal", [record("enterprise", 1), record("personal", 2)], {
    checkStatus: 1,
  });
  await heading("个人认证");
  const person = await region("个人认证");
  expect(person.getByText("已通过企业认证，无需再进行个人认证")).toBeVisible();
  expect(person.queryByRole("link", { name: "重新提交" })).not.toBeInTheDocument();
});

test.each([
  ["/workbench/information?typeShow=1", []],
  ["/workbench/information?kind=personal", []],
  ["/workbench/authInfo?nowType=MAKE_MODEL", [record("personal", 1)]],
])("no try left today at %s: neither chooser nor form, but the reason", async (address, certifications) => {
  const none = { myCertification: { datas: { checkStatus: 3, certifications, triesLeft: 0 } } };
  open(address, [], {}, none);
  const page = await main();
  expect(await page.findByText("今日提交次数已达上限，请明天再试")).toBeVisible();
  expect(page.queryByRole("link", { name: /^个人认证/ })).not.toBeInTheDocument();
  expect(page.queryByRole("form")).not.toBeInTheDocument();
});

test("authInfo offers no second kind while one is under review", async () => {
  open("/workbench/authInfo", [record("enterprise", 0)], { checkStatus: 0 });
  const person = await region("个人认证");
  expect(person.getByText("企业认证正在审核，有结果或撤回后才能提交个人认证")).toBeVisible();
  expect(person.queryByRole("link", { name: "去认证" })).not.toBeInTheDocument();
});

test.each([
  ["under review", 0],
  ["refused", 2],
])(
  "a developer whose request as a person is %s learns why that comes first (CE011)",
  async (_state, status) => {
    open("/workbench/authInfo?nowType=MAKE_MODEL", [record("personal", status)], { checkStatus: status });
    expect(await screen.findByText("开发者认证需要先完成实名认证，通过后即可申请")).toBeVisible();
    expect((await region("个人认证")).getByText("张*")).toBeVisible();
  },
);

test("a developer who was refused goes on with what was stated, and sends it again", async () => {
  const stated = {
    direction: "plugin",
    introduce: "十年三维可视化插件开发经验",
    website: "https://a.cn/works",
  };
  const { user, heard } = open(
    "/workbench/authInfo?nowType=MAKE_MODEL&again=1",
    [record("personal", 1), record("developer", 2, { name: "", number: "", ...stated })],
    { checkStatus: 1 },
    { authDeveloper: { datas: { checkStatus: 0 } } },
  );
  expect(await screen.findByLabelText("开发经验")).toHaveValue(stated.introduce);
  expect(screen.getByRole("radio", { name: /插件开发/ })).toBeChecked();
  await user.click(screen.getByRole("button", { name: "提交审核" }));
  await waitFor(() => expect(heard.find(({ name }) => name === "authDeveloper")?.form).toMatchObject(stated));
});

test("an enterprise that was refused keeps its name; nothing masked is filled in", async () => {
  const masked = { legalPerson: "李*", contactPhone: "138****8000" };
  open("/workbench/information/firm?again=1", [record("enterprise", 2, masked)]);
  expect(await screen.findByLabelText("企业名称")).toHaveValue("玄览测试有限公司");
  for (const name of ["统一社会信用代码", "法定代表人姓名", "联系电话"])
    expect(screen.getByLabelText(name)).toHaveValue("");
});

test("a person who was refused types name and number again: both are known only masked", async () => {
  open("/workbench/information?kind=personal", [record("personal", 2)]);
  for (const name of ["真实姓名", "身份证号"]) expect(await screen.findByLabelText(name)).toHaveValue("");
});
