import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { findings } from "@/test/axe";
import { answers, me, open, type Replies, type Reply } from "./test/console";

const NOW = 1_790_000_000_000;
const PASSWORD = "correct horse battery";
const FRESH: Reply = { code: 60210, message: "请先验证动态口令，再执行此操作" };
const here = {
  id: "s1",
  remoteAddr: "10.0.0.1",
  createdAt: NOW,
  lastSeenAt: Date.now() - 1000,
  expiresAt: NOW,
  current: true,
};
const there = { ...here, id: "s2", remoteAddr: "10.0.0.9", current: false };

/** The own account with two sessions; whatever ends the others ends them here too. */
function account(replies: Replies = {}, codes = 9) {
  let sessions = [here, there];
  const heard = answers({
    "session/me": () => me([], { recoveryCodes: codes }),
    "own/sessions": () => ({ datas: { sessions } }),
    ...replies,
  });
  return {
    heard,
    endOthers: () => {
      sessions = [here];
    },
    setCodes: (left: number) => {
      codes = left;
    },
  };
}
const factor = (name: string) => screen.findByRole("button", { name });
const rows = () =>
  within(screen.getByRole("table", { name: "我的登录" }))
    .getAllByRole("row")
    .slice(1);
const gone = () => waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());

it("everybody who is signed in has the page: from the menu of their name, and by Ctrl+K", async () => {
  account();
  const { user, router } = open("/");
  await screen.findByRole("heading", { level: 1, name: "总览" });
  await user.click(screen.getByRole("button", { name: "linyi" }));
  expect(await screen.findByText("剩余恢复码 9 个")).toBeInTheDocument();
  await user.click(screen.getByRole("menuitem", { name: "我的账号" }));
  await screen.findByRole("heading", { level: 1, name: "我的账号" });
  expect(document.title).toBe("我的账号 - 玄览云运营后台");
  const facts = within(screen.getByRole("region", { name: "账号" }));
  expect(facts.getByText("linyi")).toBeInTheDocument();
  expect(facts.getByText("客服")).toBeInTheDocument();
  expect(screen.getByText("手机不在身边时使用，还剩 9 个")).toBeInTheDocument();
  expect(await screen.findByText("本次登录", { selector: "td *" })).toBeInTheDocument();
  expect(await findings()).toEqual([]);

  await router.navigate("/");
  await screen.findByRole("heading", { level: 1, name: "总览" });
  await user.keyboard("{Control>}k{/Control}");
  await user.type(await screen.findByRole("combobox", { name: "搜索用户、页面" }), "密码");
  await user.keyboard("{Enter}");
  await waitFor(() => expect(router.state.location.pathname).toBe("/own"));
});

it("few recovery codes are said in the menu and on the page", async () => {
  account({}, 2);
  const { user } = open("/own");
  expect(await screen.findByText("只剩 2 个")).toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "linyi" }));
  expect(await screen.findByText("剩余恢复码 2 个，请尽快更换")).toBeInTheDocument();
});

it("changes the password by the rules of enrolment, with a fresh second factor; the other sessions end", async () => {
  let fresh = false;
  const { heard, endOthers } = account({
    "own/changePassword": ({ current, password }) => {
      if (!fresh) return FRESH;
      if (current !== "old password 1") return { code: 60203, message: "当前密码不正确" };
      if (password === "passwordpassword") return { code: 60101, message: "密码过于常见，请更换" };
      endOthers();
      return {};
    },
    "session/confirm": () => {
      fresh = true;
      return { datas: { freshUntil: NOW } };
    },
  });
  const { user } = open("/own");
  await user.click(await factor("修改密码"));
  const dialog = within(await screen.findByRole("dialog", { name: "修改密码" }));
  expect(dialog.getByText(/其他登录会全部结束/)).toBeInTheDocument();
  const fill = async (label: string, text: string) => {
    await user.clear(dialog.getByLabelText(label));
    await user.type(dialog.getByLabelText(label), text);
  };
  // The dialog above it goes in its own time, and hides this one from the accessibility tree until then.
  const submit = async () => user.click(await dialog.findByRole("button", { name: "确认修改" }));

  await submit();
  expect(dialog.getByText("请输入当前密码")).toBeInTheDocument();
  expect(dialog.getByText("密码为 12 到 64 个字符")).toBeInTheDocument();
  expect(dialog.getByLabelText("再输入一次")).toBeInvalid();
  expect(dialog.getByText("请再输入一次密码")).toBeInTheDocument();
  await waitFor(() => expect(dialog.getByLabelText("当前密码")).toHaveFocus());
  await fill("当前密码", "wrong");
  await fill("新密码", "my linyi is secret");
  await fill("再输入一次", PASSWORD);
  await submit();
  expect(dialog.getByText("密码不能包含登录名")).toBeInTheDocument();
  expect(dialog.getByText("两次输入的密码不一致")).toBeInTheDocument();
  expect(heard.map(({ call }) => call)).not.toContain("own/changePassword");

  for (const label of ["新密码", "再输入一次"]) await fill(label, "passwordpassword");
  await submit();
  const again = within(await screen.findByRole("dialog", { name: "再次确认身份" }));
  await user.type(again.getByLabelText("动态口令"), "123456{Enter}");
  expect(await dialog.findByText("当前密码不正确")).toBeInTheDocument();
  await waitFor(() => expect(dialog.getByLabelText("当前密码")).toHaveFocus());
  await fill("当前密码", "old password 1");
  await submit();
  expect(await dialog.findByText("密码过于常见，请更换")).toBeInTheDocument();
  await waitFor(() => expect(dialog.getByLabelText("新密码")).toHaveFocus());
  for (const label of ["新密码", "再输入一次"]) await fill(label, PASSWORD);
  await submit();
  expect(await screen.findByText("密码已修改，其他登录已结束")).toBeInTheDocument();
  await gone();
  expect(heard.findLast(({ call }) => call === "own/changePassword")?.body).toEqual({
    current: "old password 1",
    password: PASSWORD,
  });
  await waitFor(() => expect(rows()).toHaveLength(1));
});

it("who does not confirm the second factor is told why nothing was changed", async () => {
  account({ "own/recoveryCodes": FRESH });
  const { user } = open("/own");
  await user.click(await factor("更换恢复码"));
  const dialog = within(await screen.findByRole("dialog", { name: "更换恢复码" }));
  await user.click(dialog.getByRole("button", { name: "生成新的恢复码" }));
  const again = within(await screen.findByRole("dialog", { name: "再次确认身份" }));
  await user.click(again.getByRole("button", { name: "取消" }));
  expect(await dialog.findByText("请先验证动态口令，再执行此操作")).toBeInTheDocument();
});

it("new recovery codes are shown once, to be copied, and only go when they are kept", async () => {
  const codes = ["aa-11", "bb-22"];
  const { endOthers, setCodes } = account(
    {
      "own/recoveryCodes": () => {
        setCodes(10);
        endOthers();
        return { datas: { recoveryCodes: codes } };
      },
    },
    1,
  );
  const { user } = open("/own");
  await screen.findByText("只剩 1 个");
  await user.click(await factor("更换恢复码"));
  const ask = within(await screen.findByRole("dialog", { name: "更换恢复码" }));
  expect(ask.getByText(/全部作废，除本次登录外的其他登录会全部结束/)).toBeInTheDocument();
  await user.click(ask.getByRole("button", { name: "生成新的恢复码" }));
  const dialog = within(await screen.findByRole("dialog", { name: "保存恢复码" }));
  expect(
    within(dialog.getByRole("list", { name: "恢复码" }))
      .getAllByRole("listitem")
      .map((item) => item.textContent),
  ).toEqual(codes);
  expect(dialog.getByRole("button", { name: "下载为文本" })).toBeInTheDocument();
  await user.click(dialog.getByRole("button", { name: "复制恢复码" }));
  expect(await dialog.findByText("已复制")).toBeInTheDocument();
  expect(await navigator.clipboard.readText()).toBe("aa-11\r\nbb-22\r\n");
  await user.keyboard("{Escape}");
  expect(dialog.getByRole("button", { name: "完成" })).toBeDisabled();
  expect(await findings()).toEqual([]);
  await user.click(dialog.getByLabelText("我已保存恢复码"));
  await user.click(dialog.getByRole("button", { name: "完成" }));
  await gone();
  expect(screen.getByText("手机不在身边时使用，还剩 10 个")).toBeInTheDocument();
  expect(screen.queryByText("aa-11")).toBeNull();
  expect(rows()).toHaveLength(1);
});

it("another app is bound by its code; a wrong one can be entered again", async () => {
  const { heard, endOthers } = account({
    "own/beginApp": { datas: { secret: "JBSWY3DP", uri: "otpauth://totp/x", expiresAt: NOW } },
    "own/finishApp": ({ code }) => {
      if (code !== "222222") return { code: 60204, message: "动态口令不正确" };
      endOthers();
      return {};
    },
  });
  const { user } = open("/own");
  await user.click(await factor("更换验证器"));
  const dialog = within(await screen.findByRole("dialog", { name: "更换验证器" }));
  expect(dialog.getByText(/原来的验证器仍然有效/)).toBeInTheDocument();
  expect(heard.map(({ call }) => call)).not.toContain("own/beginApp");
  await user.click(dialog.getByRole("button", { name: "显示二维码" }));
  expect(await dialog.findByText("JBSWY3DP")).toBeInTheDocument();
  const code = dialog.getByLabelText("验证器显示的 6 位动态口令");
  await waitFor(() => expect(code).toHaveFocus());
  await user.type(code, "12{Enter}");
  expect(dialog.getByText("请输入 6 位动态口令")).toBeInTheDocument();
  await user.clear(code);
  await user.type(code, "111111{Enter}");
  expect(await dialog.findByText("动态口令不正确")).toBeInTheDocument();
  expect(code).toHaveValue("");
  expect(code).toHaveFocus();
  await user.type(code, "222222{Enter}");
  expect(await screen.findByText("验证器已更换，其他登录已结束")).toBeInTheDocument();
  await gone();
  await waitFor(() => expect(rows()).toHaveLength(1));
});

it.each([
  [/^结束来自 10\.0\.0\.9 的登录/, "结束登录", "s2", "登录已结束"],
  ["结束其他登录", "结束其他登录", "", "其他登录已结束"],
])("%s: the session in use stays", async (button, title, id, done) => {
  const { heard, endOthers } = account({
    "own/endSession": () => {
      endOthers();
      return {};
    },
  });
  const { user } = open("/own");
  expect(screen.queryByRole("button", { name: /^结束来自 10\.0\.0\.1 的登录/ })).toBeNull();
  await user.click(await screen.findByRole("button", { name: button }));
  const dialog = within(await screen.findByRole("dialog", { name: title }));
  await user.click(dialog.getByRole("button", { name: "结束" }));
  expect(await screen.findByText(done)).toBeInTheDocument();
  await gone();
  expect(heard.find(({ call }) => call === "own/endSession")?.body).toEqual({ id });
  await waitFor(() => expect(rows()).toHaveLength(1));
  expect(screen.queryByRole("button", { name: "结束其他登录" })).toBeNull();
});

it("a session that is gone already is told, and the list read anew", async () => {
  const { endOthers } = account({
    "own/endSession": () => {
      endOthers();
      return { code: 60105, message: "没有其他登录" };
    },
  });
  const { user } = open("/own");
  await user.click(await screen.findByRole("button", { name: /^结束来自 10\.0\.0\.9 的登录/ }));
  const dialog = within(await screen.findByRole("dialog", { name: "结束登录" }));
  await user.click(dialog.getByRole("button", { name: "结束" }));
  expect(await dialog.findByText("没有其他登录")).toBeInTheDocument();
  await user.click(dialog.getByRole("button", { name: "取消" }));
  await gone();
  expect(rows()).toHaveLength(1);
});

it("two sessions of one address can be told apart by when they began", async () => {
  const later = { ...there, id: "s3", createdAt: NOW + 60_000 };
  account({ "own/sessions": { datas: { sessions: [here, there, later] } } });
  open("/own");
  const ends = await screen.findAllByRole("button", { name: /^结束来自 10\.0\.0\.9 的登录/ });
  expect(new Set(ends.map((end) => end.getAttribute("aria-label"))).size).toBe(2);
});
