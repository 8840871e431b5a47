import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { findings } from "@/test/axe";
import { readToken } from "./api/token";
import { areas, railOf } from "./frame/areas";
import { endOf } from "./frame/IdleWatch";
import { type ConsoleModule, needs } from "./kit/contract";
import { ALL, answers, me, open, type Replies } from "./test/console";

afterEach(() => vi.useRealTimers());

const NOW = 1_790_000_000_000;
const user = (more: object = {}) => ({
  loginId: "u1",
  accountNumber: "XL1",
  phone: "138****0001",
  email: "",
  nickname: "木鱼",
  professionCode: "",
  state: "active",
  createdAt: NOW,
  ...more,
});
const session = { id: "s1", remoteAddr: "10.0.0.9", createdAt: NOW, lastSeenAt: NOW, expiresAt: NOW };
const entry = {
  number: 7,
  id: "a7",
  at: NOW,
  service: "auth",
  call: "K23",
  permission: "user.freeze",
  operatorId: "o1",
  operator: "linyi",
  target: "u1",
  before: '{"state":"active"}',
  after: '{"state":"frozen"}',
  reason: "疑似账号被盗用",
  requestId: "r1",
  remoteAddr: "10.0.0.1",
  hash: "ab12",
};

/** A site without problems. */
const site = (permissions = ALL): Replies => ({
  "session/me": me(permissions),
  "session/signOut": {},
  "running/settings": {
    datas: {
      settings: [
        {
          name: "site.environment",
          type: "text",
          value: "production",
          builtIn: "development",
          secret: false,
        },
        { name: "auth.sms.secret", type: "text", value: "******", builtIn: "", secret: true },
      ],
    },
  },
  "running/overview": {
    datas: {
      services: [{ name: "auth", ready: true, instances: [], unsent: 0, unsentMs: 0 }],
      parts: [{ name: "cache", ready: true, failing: [] }],
      queues: [{ name: "personal", dead: 1, waiting: 0, retrying: [] }],
      unsent: 0,
      audited: 7,
    },
  },
  "running/deadLetters": {
    datas: { letters: [{ id: "d1", key: "process.check.finished", error: "busy", at: NOW }] },
  },
  "users/search": { datas: { users: [user()], next: "" } },
  "users/show": {
    datas: {
      user: user(),
      uploaderType: 0,
      frozenUntil: 0,
      frozenReason: "",
      sessions: [session],
      wrongPasswordsHour: 0,
      wrongPasswordsDay: 0,
      codesDay: 0,
      secondFactorAt: 0,
      recoveryCodes: 0,
      links: [],
    },
  },
  "audit/search": { datas: { entries: [entry], next: "" } },
  "operators/list": {
    datas: {
      operators: [
        {
          id: "o2",
          name: "chen",
          roles: ["r1"],
          state: "active",
          createdAt: NOW,
          signedInAt: 0,
          sessions: 0,
        },
      ],
    },
  },
  "roles/list": {
    datas: {
      roles: [{ id: "r1", title: "客服", permissions: ["user.read"], builtIn: false, operators: 1 }],
      permissions: [
        { id: "user.read", calls: ["K20", "K21"] },
        { id: "user.freeze", calls: ["K23"] },
      ],
    },
  },
});

const heading = (name: string) => screen.findByRole("heading", { level: 1, name });

it("signs in by name, password and code, keeps the token in the tab, and sends no cookie", async () => {
  let tries = 0;
  const heard = answers({
    ...site(),
    "session/signIn": () => {
      tries += 1;
      return tries === 1
        ? { code: 60200, message: "登录名、密码或动态口令错误" }
        : { datas: { token: "tok", expiresAt: NOW, recoveryCodes: 9 } };
    },
  });
  const { user: hand } = open("/users", "");
  await heading("登录");
  expect(await findings()).toEqual([]);
  await hand.click(screen.getByRole("button", { name: "登录" }));
  expect(screen.getByText("请输入登录名")).toBeInTheDocument();
  expect(heard).toEqual([]);
  await hand.type(screen.getByLabelText("登录名"), "linyi");
  await hand.type(screen.getByLabelText("密码"), "correct horse");
  await hand.type(screen.getByLabelText("动态口令"), "123456{Enter}");
  expect(await screen.findByText("登录名、密码或动态口令错误")).toBeInTheDocument();
  await hand.type(screen.getByLabelText("动态口令"), "654321{Enter}");
  // the page requested before signing in
  await heading("用户");
  expect(heard[1]).toMatchObject({
    call: "session/signIn",
    token: "",
    body: { name: "linyi", code: "654321" },
  });
  await waitFor(() =>
    expect(heard.find(({ call }) => call === "users/search")).toMatchObject({ token: "tok", cookies: null }),
  );
  expect(readToken()).toBe("tok");
  expect(document.cookie).toBe("");
  expect(await screen.findByText("生产环境")).toBeInTheDocument();

  await hand.click(screen.getByRole("button", { name: "linyi" }));
  await hand.click(await screen.findByRole("menuitem", { name: "退出登录" }));
  await heading("登录");
  expect(readToken()).toBe("");
});

it("enrols by a link: password, authenticator, recovery codes once", async () => {
  const heard = answers({
    "enrol/show": { datas: { name: "linyi", secret: "JBSWY3DP", uri: "otpauth://totp/x", expiresAt: NOW } },
    "enrol/finish": ({ code }) =>
      code === "111111"
        ? { code: 60200, message: "动态口令错误" }
        : { datas: { recoveryCodes: ["aa-11", "bb-22"] } },
  });
  const { user: hand } = open("/enrol/LINK", "");
  await hand.type(await screen.findByLabelText("新密码"), "short");
  await hand.type(screen.getByLabelText("再输入一次"), "other");
  await hand.click(screen.getByRole("button", { name: "下一步" }));
  expect(screen.getByText("密码为 12 到 64 个字符")).toBeInTheDocument();
  expect(screen.getByText("两次输入的密码不一致")).toBeInTheDocument();
  for (const label of ["新密码", "再输入一次"]) {
    await hand.clear(screen.getByLabelText(label));
    await hand.type(screen.getByLabelText(label), "correct horse battery");
  }
  await hand.click(screen.getByRole("button", { name: "下一步" }));
  expect(await screen.findByText("JBSWY3DP")).toBeInTheDocument();
  expect(await findings()).toEqual([]);
  const code = screen.getByLabelText("验证器显示的 6 位动态口令");
  await hand.type(code, "111111{Enter}");
  expect(await screen.findByText("动态口令错误")).toBeInTheDocument();
  await hand.type(code, "222222{Enter}");
  const list = await screen.findByRole("list", { name: "恢复码" });
  expect(
    within(list)
      .getAllByRole("listitem")
      .map((item) => item.textContent),
  ).toEqual(["aa-11", "bb-22"]);
  expect(heard.at(-1)?.body).toEqual({ link: "LINK", password: "correct horse battery", code: "222222" });
  expect(screen.getByRole("button", { name: "去登录" })).toBeDisabled();
});

it("a link that is void says so", async () => {
  answers({ "enrol/show": { code: 60200, message: "链接已失效" } });
  open("/enrol/OLD", "");
  expect(await screen.findByText("链接已失效")).toBeInTheDocument();
});

/** The areas that came with the frame; others have their own tests, and the journey visits them all. */
const OWN = ["overview", "users", "running", "settings", "operators", "log"];

it("every page is drawn with its heading, and axe finds nothing", async () => {
  for (const module of areas.filter(({ id }) => OWN.includes(id))) {
    for (const route of module.routes) {
      answers(site());
      const address = `${module.id === "overview" ? "" : `/${module.id}`}/${route.path.replace(":loginId", "u1")}`;
      const { view } = open(address);
      const title = await screen.findByRole("heading", { level: 1 });
      expect(title).toHaveTextContent(route.path.includes(":") ? "木鱼" : route.title);
      await waitFor(() => expect(screen.queryByLabelText("正在加载")).toBeNull());
      expect(await findings(), address).toEqual([]);
      view.unmount();
    }
  }
});

it("freezing asks for a reason and a fresh second factor, and goes on when it is given", async () => {
  let fresh = false;
  const heard = answers({
    ...site(),
    "users/freeze": () => (fresh ? {} : { code: 60210, message: "请先验证动态口令，再执行此操作" }),
    "session/confirm": ({ code }) => {
      fresh = code === "222222";
      return fresh ? { datas: { freshUntil: NOW } } : { code: 60200, message: "动态口令错误" };
    },
  });
  const { user: hand } = open("/users/u1");
  await hand.click(await screen.findByRole("button", { name: "冻结" }));
  const dialog = await screen.findByRole("dialog", { name: "冻结账号" });
  await hand.click(within(dialog).getByRole("button", { name: "疑似账号被盗用" }));
  await hand.click(within(dialog).getByRole("button", { name: "冻结" }));
  const again = await screen.findByRole("dialog", { name: "再次确认身份" });
  await hand.type(within(again).getByLabelText("动态口令"), "111111{Enter}");
  expect(await within(again).findByText("动态口令错误")).toBeInTheDocument();
  await hand.type(within(again).getByLabelText("动态口令"), "222222{Enter}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  const freezes = heard.filter(({ call }) => call === "users/freeze");
  expect(freezes).toHaveLength(2);
  expect(freezes[1]?.body).toMatchObject({ loginId: "u1", reason: "疑似账号被盗用" });
  // the page reloads the user
  expect(heard.filter(({ call }) => call === "users/show").length).toBeGreaterThan(1);
});

it("who does not give the second factor again has changed nothing, and is told why", async () => {
  const heard = answers({
    ...site(),
    "users/freeze": { code: 60210, message: "请先验证动态口令，再执行此操作" },
  });
  const { user: hand } = open("/users/u1");
  await hand.click(await screen.findByRole("button", { name: "冻结" }));
  const dialog = await screen.findByRole("dialog", { name: "冻结账号" });
  await hand.click(within(dialog).getByRole("button", { name: "用户申请" }));
  await hand.click(within(dialog).getByRole("button", { name: "冻结" }));
  await hand.click(
    within(await screen.findByRole("dialog", { name: "再次确认身份" })).getByRole("button", { name: "取消" }),
  );
  expect(await within(dialog).findByText("请先验证动态口令，再执行此操作")).toBeInTheDocument();
  expect(heard.filter(({ call }) => call === "users/freeze")).toHaveLength(1);
});

it("Ctrl+K finds users and pages and goes there by the keyboard", async () => {
  answers(site());
  const { user: hand, router } = open("/settings");
  await heading("设置");
  await hand.keyboard("{Control>}k{/Control}");
  const field = await screen.findByRole("combobox", { name: "搜索用户、页面" });
  await hand.type(field, "木");
  expect(await screen.findByRole("option", { name: /木鱼/ })).toBeInTheDocument();
  await hand.keyboard("{Enter}");
  await waitFor(() => expect(router.state.location.pathname).toBe("/users/u1"));
  // its panels have asked for what they show: no call of theirs is left for the next test
  expect(await screen.findByRole("heading", { level: 1, name: /木鱼/ })).toBeInTheDocument();
  await waitFor(() => expect(screen.queryByLabelText("正在加载")).toBeNull());
});

it.each([
  [["user.read"], ["总览", "用户"]],
  [
    ["running.read", "audit.read"],
    ["总览", "运行状况", "操作日志"],
  ],
  [[], ["总览"]],
  [ALL, ["总览", "用户", "运行状况", "设置", "运营人员", "操作日志"]],
])("with %j the rail leads to %j at least", (permissions, titles) => {
  const links = railOf({
    id: "o",
    name: "o",
    roles: [],
    permissions,
    environment: "",
    expiresAt: 0,
    recoveryCodes: 0,
    idleMinutes: 30,
  }).flatMap((section) => section.links.map(({ title }) => title));
  for (const title of titles) expect(links).toContain(title);
  const hidden = areas.filter(
    (module: ConsoleModule) =>
      !module.routes.some((route) => needs(module, route) === undefined) && permissions.length === 0,
  );
  for (const module of hidden) expect(links).not.toContain(module.title);
});

it("a page without permission asks the server nothing, and acts are not offered", async () => {
  const heard = answers(site(["user.read"]));
  const { view } = open("/log");
  expect(await screen.findByText("没有查看这一页的权限")).toBeInTheDocument();
  expect(heard.map(({ call }) => call)).toEqual(["session/me"]);
  view.unmount();
  open("/users/u1");
  await screen.findByRole("heading", { level: 1, name: /木鱼/ });
  expect(screen.queryByRole("button", { name: "冻结" })).toBeNull();
  expect(screen.queryByRole("button", { name: "查看完整手机号" })).toBeNull();
  // the panel of another area is hidden from this operator too
  expect(screen.queryByRole("heading", { name: "操作记录" })).toBeNull();
});

it("tells that an idle session ends, keeps it when asked to, and ends it", async () => {
  expect(endOf(0, 30, 99_999_999)).toEqual({ at: 30 * 60_000 - 5_000, idle: true });
  expect(endOf(0, 30, 1000)).toEqual({ at: 1000, idle: false });

  vi.useFakeTimers({ shouldAdvanceTime: true });
  const heard = answers(site());
  const { user: hand } = open("/settings", "t1", { advanceTimers: vi.advanceTimersByTime });
  await heading("设置");
  await vi.advanceTimersByTimeAsync(28 * 60_000 + 10_000);
  const warning = await screen.findByRole("alertdialog", { name: "长时间没有操作" });
  const before = heard.length;
  await hand.click(within(warning).getByRole("button", { name: "继续工作" }));
  await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  expect(heard.slice(before).map(({ call }) => call)).toEqual(["session/me"]);
  await vi.advanceTimersByTimeAsync(30 * 60_000);
  await heading("登录");
  expect(screen.getByText(/长时间没有操作，已自动退出/)).toBeInTheDocument();
  expect(readToken()).toBe("");
});

it("a token that the server no longer takes leads to sign-in, and nothing read stays", async () => {
  const replies = site();
  const heard = answers({ ...replies, "users/search": { status: 401, code: 60401, message: "请登录" } });
  const { store } = open("/users");
  await heading("登录");
  expect(screen.getByText("登录已失效，请重新登录")).toBeInTheDocument();
  expect(heard.map(({ call }) => call)).toContain("users/search");
  expect(Object.keys(store.getState().api.queries)).toEqual([]);
});

it("an entry of the log shows what it changed", async () => {
  answers({
    ...site(),
    "audit/verify": { datas: { sound: false, entries: 7, brokenAt: 3, problem: "摘要不一致" } },
  });
  const { user: hand } = open("/log");
  await hand.click(await screen.findByRole("button", { name: "冻结用户，第 7 条" }));
  const dialog = await screen.findByRole("dialog", { name: "第 7 条：冻结用户" });
  expect(within(dialog).getByRole("row", { name: "状态 state active frozen" })).toBeInTheDocument();
  await hand.click(within(dialog).getByRole("button", { name: "关闭" }));
  await hand.click(await screen.findByRole("button", { name: "验证审计链" }));
  expect(await screen.findByText("第 3 条不符：摘要不一致")).toBeInTheDocument();
});

it("a whole chain says how far it can be trusted, and its last hash", async () => {
  answers({
    ...site(),
    "audit/verify": {
      datas: { sound: true, entries: 75, brokenAt: 0, problem: "", unkeyed: 12, hash: "ab12" },
    },
  });
  const { user: hand } = open("/log");
  await hand.click(await screen.findByRole("button", { name: "验证审计链" }));
  expect(await screen.findByText("审计链完整，共 75 条")).toBeInTheDocument();
  expect(screen.getByText(/最早的 12 条写于启用密钥之前。末条校验值 75:ab12，/)).toBeInTheDocument();
});
