import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { answers, me, open } from "./test/console";

const NOW = 1_790_000_000_000;

it("a refused sign-in leads the keyboard to the field that has to be filled again", async () => {
  answers({ "session/signIn": { code: 60200, message: "登录名、密码或动态口令错误" } });
  const { user } = open("/", "");
  await user.type(await screen.findByLabelText("登录名"), "linyi");
  await user.type(screen.getByLabelText("密码"), "correct horse");
  await user.type(screen.getByLabelText("动态口令"), "123456");
  await user.click(screen.getByRole("button", { name: "登录" }));
  await screen.findByText("登录名、密码或动态口令错误");
  expect(screen.getByLabelText("动态口令")).toHaveFocus();
  expect(screen.getByLabelText("动态口令")).toHaveValue("");
});

const enrolment = { datas: { name: "linyi", secret: "JBSWY3DP", uri: "otpauth://totp/x", expiresAt: NOW } };
async function choose(user: ReturnType<typeof open>["user"], password: string) {
  for (const label of ["新密码", "再输入一次"]) {
    await user.clear(await screen.findByLabelText(label));
    await user.type(screen.getByLabelText(label), password);
  }
  await user.click(screen.getByRole("button", { name: "下一步" }));
}

it.each([
  ["my LinYi is secret", "密码不能包含登录名"],
  ["aAaaaaaaaaaaaa", "密码不能全为同一个字符"],
])("enrolling with the password %j is refused before the authenticator is bound", async (password, words) => {
  answers({ "enrol/show": enrolment });
  const { user } = open("/enrol/LINK", "");
  await choose(user, password);
  expect(await screen.findByText(words)).toBeInTheDocument();
  expect(screen.queryByText("JBSWY3DP")).toBeNull();
});

it("a password that only the server refuses leads back to its field; the limit of tries is told beforehand", async () => {
  answers({
    "enrol/show": enrolment,
    "enrol/finish": ({ password }) =>
      password === "passwordpassword"
        ? { code: 60200, message: "密码过于常见，请更换" }
        : { code: 60200, message: "动态口令不正确" },
  });
  const { user } = open("/enrol/LINK", "");
  await choose(user, "passwordpassword");
  expect(await screen.findByText(/输错五次后，这个链接要等一刻钟才能再试/)).toBeInTheDocument();
  await user.type(screen.getByLabelText("验证器显示的 6 位动态口令"), "111111{Enter}");
  expect(await screen.findByLabelText("新密码")).toHaveAccessibleDescription("密码过于常见，请更换");
  await choose(user, "correct horse battery");
  const code = await screen.findByLabelText("验证器显示的 6 位动态口令");
  await user.type(code, "111111{Enter}");
  expect(await screen.findByText("动态口令不正确")).toBeInTheDocument();
  expect(code).toHaveFocus();
});

it("the second factor may be confirmed again with a recovery code", async () => {
  let fresh = false;
  const heard = answers({
    "session/me": me(["*"]),
    "operators/list": {
      datas: {
        operators: [
          { id: "o2", name: "chen", roles: [], state: "active", createdAt: NOW, signedInAt: 0, sessions: 0 },
        ],
      },
    },
    "roles/list": { datas: { roles: [], permissions: [] } },
    "operators/setDisabled": () => (fresh ? {} : { code: 60210, message: "请先验证动态口令，再执行此操作" }),
    "session/confirm": () => {
      fresh = true;
      return { datas: { freshUntil: NOW } };
    },
  });
  const { user } = open("/operators");
  await user.click(await screen.findByRole("button", { name: /停用/ }));
  const dialog = await screen.findByRole("dialog");
  await user.type(within(dialog).getByRole("textbox"), "岗位调整");
  await user.click(within(dialog).getByRole("button", { name: "停用" }));
  const again = await screen.findByRole("dialog", { name: "再次确认身份" });
  await user.click(within(again).getByRole("button", { name: "使用恢复码" }));
  await user.click(within(again).getByRole("button", { name: "确认" }));
  expect(within(again).getByText("请输入恢复码")).toBeInTheDocument();
  await user.type(within(again).getByLabelText("恢复码"), "aa-11{Enter}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(heard.find(({ call }) => call === "session/confirm")?.body).toEqual({ code: "aa-11" });
});
