import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { findings } from "@/test/axe";
import { ALL, answers, me, open, type Replies } from "../../test/console";
import { operatorNamed, operatorOf } from "./words";

const entry = {
  number: 7,
  id: "a7",
  at: 1_790_000_000_000,
  service: "auth",
  call: "K22",
  permission: "user.reveal",
  operatorId: "o1",
  operator: "linyi",
  target: "u1",
  before: "",
  after: "",
  reason: "",
  requestId: "r1",
  remoteAddr: "10.0.0.1",
  hash: "ab12",
};
const added = { ...entry, number: 1, id: "a1", call: "command", operatorId: "", operator: "operator add" };

const log = (replies: Replies = {}) =>
  answers({
    "session/me": me(ALL),
    "audit/search": { datas: { entries: [entry, added], next: "" } },
    ...replies,
  });

it("is narrowed by an act's Chinese name or number and by a service, and the address keeps it", async () => {
  const heard = log();
  const { user, router } = open("/log");
  const asked = () => heard.findLast(({ call }) => call === "audit/search")?.body;
  const act = await screen.findByRole("combobox", { name: "操作" });
  await user.type(act, "完整联系");
  await user.click(await screen.findByRole("option", { name: "查看完整联系方式" }));
  await waitFor(() => expect(router.state.location.search).toBe("?call=K22"));
  await waitFor(() => expect(asked()).toMatchObject({ call: "K22" }));
  await user.clear(act);
  await user.type(act, "k23");
  await user.click(await screen.findByRole("option", { name: "冻结用户" }));
  await waitFor(() => expect(asked()).toMatchObject({ call: "K23" }));
  await user.click(screen.getByRole("combobox", { name: "服务" }));
  await user.click(await screen.findByRole("option", { name: "用户中心" }));
  await waitFor(() => expect(router.state.location.search).toBe("?call=K23&service=personal"));
  await waitFor(() => expect(asked()).toMatchObject({ call: "K23", service: "personal" }));
  expect(await findings()).toEqual([]);
});

it("a number that no area names is shown as it is", async () => {
  const heard = log();
  open("/log?call=K999");
  expect(await screen.findByRole("combobox", { name: "操作" })).toHaveValue("K999");
  await waitFor(() => expect(heard.at(-1)).toMatchObject({ call: "audit/search", body: { call: "K999" } }));
});

it("a command is named in Chinese, and found by that name", async () => {
  const heard = log();
  const { user } = open("/log");
  expect(await screen.findByRole("cell", { name: "添加运营人员" })).toBeInTheDocument();
  await user.type(screen.getByRole("searchbox", { name: "操作人" }), "添加运营人员{Enter}");
  await waitFor(() => expect(heard.at(-1)?.body).toMatchObject({ operator: "operator add" }));
});

it.each([
  ["operator reset", "重置运营人员"],
  ["feedback answer (ann)", "回复反馈 (ann)"],
  ["certification", "处理认证"],
  ["something new", "something new"],
])("the command %j is shown as %j", (operator, shown) => {
  expect(operatorOf({ call: "command", operator })).toBe(shown);
  expect(operatorNamed(shown)).toBe(operator);
  // an operator may have any name
  expect(operatorOf({ call: "K22", operator })).toBe(operator);
});

it("a chain that is broken at no entry in particular names none", async () => {
  log({ "audit/verify": { datas: { sound: false, entries: 7, brokenAt: 0, problem: "缺少封印" } } });
  const { user } = open("/log");
  await user.click(await screen.findByRole("button", { name: "验证审计链" }));
  expect(await screen.findByText("缺少封印")).toBeInTheDocument();
  expect(within(screen.getByRole("main")).queryByText(/第 .* 条不符/)).toBeNull();
});
