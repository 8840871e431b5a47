import { screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { afterEach, expect, it, vi } from "vitest";
import { server } from "@/test/server";
import { readToken } from "./api/token";
import { KNOWN_MS } from "./session/calls";
import { answers, me, open, type Reply } from "./test/console";

afterEach(() => vi.useRealTimers());

/** How old the known permissions are must not depend on the machine. */
const stopClock = () => vi.useFakeTimers({ toFake: ["Date"] });
const heading = (name: string) => screen.findByRole("heading", { level: 1, name });
const users = (state: string): Reply => ({
  datas: {
    users: [
      {
        loginId: "u1",
        accountNumber: "XL1",
        phone: "",
        email: "",
        nickname: "木鱼",
        professionCode: "",
        state,
        createdAt: 1_790_000_000_000,
      },
    ],
    next: "",
  },
});
const AWAY: Reply = { status: 503, code: 60503, message: "服务暂时不可用，请稍后再试" };

it.each([
  ["the service is away", AWAY, "服务暂时不可用，请稍后再试"],
  ["there were too many calls", { status: 429, code: 60429, message: "请求过于频繁" }, "请求过于频繁"],
])("a reload while %s keeps the session, and goes on when asked to", async (_why, reply, words) => {
  let up = false;
  answers({ "session/me": () => (up ? me([]) : reply) });
  const { user } = open("/");
  await heading("暂时无法继续");
  expect(screen.getByText(words)).toBeInTheDocument();
  expect(readToken()).toBe("t1");
  up = true;
  await user.click(screen.getByRole("button", { name: "重试" }));
  await heading("总览");
  expect(readToken()).toBe("t1");
});

it("a reload without a network keeps the session", async () => {
  server.use(http.post(/\/api-console\//, () => HttpResponse.error()));
  open("/");
  await heading("暂时无法继续");
  expect(readToken()).toBe("t1");
});

it("a reload with a token that the server refuses leads to sign-in", async () => {
  answers({ "session/me": { status: 401, code: 60401, message: "请登录" } });
  open("/");
  await heading("登录");
  expect(screen.getByText("登录已失效，请重新登录")).toBeInTheDocument();
  expect(readToken()).toBe("");
});

it("signing in while the operator cannot be read keeps the new session", async () => {
  let up = false;
  answers({
    "session/signIn": { datas: { token: "tok", device: "d", expiresAt: 0, recoveryCodes: 9 } },
    "session/me": () => (up ? me([]) : AWAY),
  });
  const { user } = open("/", "");
  await heading("登录");
  await user.type(screen.getByLabelText("登录名"), "linyi");
  await user.type(screen.getByLabelText("密码"), "correct horse");
  await user.type(screen.getByLabelText("动态口令"), "123456{Enter}");
  await heading("暂时无法继续");
  up = true;
  await user.click(screen.getByRole("button", { name: "重试" }));
  await heading("总览");
  expect(readToken()).toBe("tok");
});

it("a role that is granted opens the page and the rail without a reload", async () => {
  let permissions: string[] = [];
  answers({ "session/me": () => me(permissions), "users/search": users("active") });
  const { user } = open("/users");
  await screen.findByText("没有查看这一页的权限");
  expect(screen.queryByRole("link", { name: "用户" })).toBeNull();
  permissions = ["user.read"];
  await user.click(screen.getByRole("button", { name: "角色已调整，重新检查" }));
  expect(await screen.findByText("木鱼")).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "用户" })).toBeInTheDocument();
});

it("a refusal shows that a permission was revoked: the rail and the page follow", async () => {
  stopClock();
  let permissions = ["user.read", "audit.read"];
  const heard = answers({
    "session/me": () => me(permissions),
    "users/search": () =>
      permissions.includes("user.read")
        ? users("active")
        : { status: 403, code: 60403, message: "没有权限执行此操作" },
    "audit/search": { datas: { entries: [], next: "" } },
  });
  const { user, router } = open("/log");
  await heading("操作日志");
  permissions = ["audit.read"];
  await user.click(screen.getByRole("link", { name: "用户" }));
  expect(await screen.findByText("没有查看这一页的权限")).toBeInTheDocument();
  await waitFor(() => expect(screen.queryByRole("link", { name: "用户" })).toBeNull());
  expect(router.state.location.pathname).toBe("/users");
  // once at the start, and once for the refusal
  expect(heard.filter(({ call }) => call === "session/me")).toHaveLength(2);
});

it("the permissions are read again when the operator comes back to the window, but not at each step", async () => {
  stopClock();
  let permissions = ["audit.read"];
  const heard = answers({
    "session/me": () => me(permissions),
    "audit/search": { datas: { entries: [], next: "" } },
  });
  open("/log");
  await heading("操作日志");
  const asked = () => heard.filter(({ call }) => call === "session/me").length;
  const before = asked();
  permissions = ["audit.read", "user.read"];
  vi.setSystemTime(Date.now() + KNOWN_MS + 1);
  window.dispatchEvent(new Event("focus"));
  expect(await screen.findByRole("link", { name: "用户" })).toBeInTheDocument();
  window.dispatchEvent(new Event("focus"));
  expect(asked()).toBe(before + 1);
});

it("a list that is opened again shows what a colleague has changed meanwhile", async () => {
  let state = "active";
  answers({
    "session/me": me(["user.read", "audit.read"]),
    "users/search": () => users(state),
    "audit/search": { datas: { entries: [], next: "" } },
  });
  const { user } = open("/users");
  expect(await screen.findByText("正常")).toBeInTheDocument();
  await user.click(screen.getByRole("link", { name: "操作日志" }));
  await heading("操作日志");
  state = "frozen";
  await user.click(screen.getByRole("link", { name: "用户" }));
  expect(await screen.findByText("已冻结")).toBeInTheDocument();
  expect(screen.queryByText("正常")).toBeNull();
});

it("a sign-out that the server does not confirm is not called one", async () => {
  answers({ "session/me": me([]), "session/signOut": AWAY });
  const { user } = open("/");
  await heading("总览");
  await user.click(screen.getByRole("button", { name: "linyi" }));
  await user.click(await screen.findByRole("menuitem", { name: "退出登录" }));
  await heading("登录");
  expect(screen.getByText(/本页已退出，但服务器没有确认/)).toBeInTheDocument();
  expect(readToken()).toBe("");
});
