import { act, screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { authApi } from "@/api/generated/auth";
import { syncSession } from "@/session";
import { writeLogin } from "@/session/cookies";
import { renderPage } from "@/test/render";
import { type Answer, answer, type HeardCall, names } from "@/test/server";
import { toast } from "@/ui/toast";
import { ProofHost } from "./ProofHost";

const security = {
  phone: "138****0001",
  email: null,
  emailVerified: false,
  hasPassword: true,
  secondFactor: false,
  recoveryCodesLeft: 0,
  confirmedUntil: 0,
  confirmMethods: ["password", "sms"],
  interest: null,
  registerPurpose: null,
  mailAvailable: false,
};

/** A server that requires proof first, and accepts the password `right` or the code 123456. */
function open(methods: string[], changes: Record<string, Answer | ((call: HeardCall) => Answer)> = {}) {
  let proven = false;
  const calls = answer({
    accountSecurity: { datas: { ...security, confirmMethods: methods } },
    remove: () => (proven ? {} : { code: 60207, message: "请先完成安全验证" }),
    modifyPhone: () => (proven ? {} : { code: 60207, message: "请先完成安全验证" }),
    sendOwnCode: { datas: "own-key" },
    confirmIdentity: ({ form }) => {
      proven = form.password === "right" || form.verifycode === "123456";
      return proven ? { datas: { confirmedUntil: 1 } } : { code: 60203, message: "密码不正确" };
    },
    ...changes,
  });
  writeLogin("tok", "u1");
  const page = renderPage(<ProofHost />);
  page.store.dispatch(syncSession());
  const { removeSecondFactor, modifyPhone } = authApi.endpoints;
  const remove = () => page.store.dispatch(removeSecondFactor.initiate({}));
  const move = () => page.store.dispatch(modifyPhone.initiate({ phone: "13800138000" }));
  return { ...page, calls, remove, move };
}

const dialog = () => screen.findByRole("dialog", { name: "安全验证" });

it("what needs fresh proof asks for it and then goes on by itself, once for several calls", async () => {
  const { user, calls, remove, move } = open(["password", "sms"]);
  const both = Promise.all([remove(), move()]);
  const field = await within(await dialog()).findByLabelText("登录密码");
  await user.click(screen.getByRole("button", { name: "确认" }));
  expect(await screen.findByText("请输入密码")).toBeVisible();
  await user.type(field, "wrong{Enter}");
  expect(await screen.findByText("密码不正确")).toBeVisible();
  await user.clear(field);
  await user.type(field, "right{Enter}");
  const answers = await both;
  expect(answers.map(({ error }) => error)).toEqual([undefined, undefined]);
  expect(calls.find(({ name }) => name === "confirmIdentity")?.form).toMatchObject({ method: "password" });
  expect(names(calls).filter((name) => name === "remove" || name === "modifyPhone")).toHaveLength(4);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(screen.queryByText("请先完成安全验证")).toBeNull();
});

it("takes a code sent to the account's own phone", async () => {
  const { user, calls, remove } = open(["password", "sms"]);
  const removed = remove();
  await user.click(await screen.findByRole("tab", { name: "短信验证码" }));
  await user.click(screen.getByRole("button", { name: "确认" }));
  expect(await screen.findByText("请获取验证码")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "获取验证码" }));
  expect(await screen.findByText("发送成功")).toBeVisible();
  expect(await screen.findByRole("button", { name: /s后重新发送/ })).toBeDisabled();
  await user.type(screen.getByLabelText("验证码（发送到 138****0001）"), "123456{Enter}");
  expect((await removed).error).toBeUndefined();
  expect(calls.find(({ name }) => name === "confirmIdentity")?.form).toMatchObject({
    method: "sms",
    verifycode: "123456",
    smsKey: "own-key",
  });
});

it("with a second factor only that and its recovery codes count", async () => {
  const { user, calls, remove } = open(["totp", "recovery"]);
  const removed = remove();
  expect((await within(await dialog()).findAllByRole("tab")).map((tab) => tab.textContent)).toEqual([
    "动态验证码",
    "恢复码",
  ]);
  await user.type(screen.getByLabelText("验证器中的动态验证码"), "123456{Enter}");
  await removed;
  expect(calls.find(({ name }) => name === "confirmIdentity")?.form.method).toBe("totp");
});

it("whoever does not confirm changes nothing, which is no error", async () => {
  const { user, calls, remove } = open(["password"]);
  const removed = remove();
  await user.click(await within(await dialog()).findByRole("button", { name: "取消" }));
  expect((await removed).error).toMatchObject({ code: 60207 });
  expect(names(calls).filter((name) => name === "remove")).toHaveLength(1);
  // A later toast comes after one of the refusal would have.
  act(() => toast.success("到这里"));
  await screen.findByText("到这里");
  expect(screen.queryByText("请先完成安全验证")).toBeNull();
});
