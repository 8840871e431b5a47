import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { findings } from "@/test/axe";
import type {
  AuthRunningInstance,
  AuthRunningOverviewReply,
  AuthRunningService,
} from "../../api/generated/auth";
import { ALL, answers, me, open } from "../../test/console";

const AGO = 90_000;
const instance = (more: Partial<AuthRunningInstance> = {}): AuthRunningInstance => ({
  name: "site-1:4242",
  version: "1.4.0",
  startedAt: Date.now() - 3 * 86_400_000,
  reportedAt: Date.now() - AGO,
  ready: true,
  problems: [],
  ...more,
});
const service = (name: string, more: Partial<AuthRunningService> = {}): AuthRunningService => ({
  name,
  ready: true,
  instances: [instance()],
  unsent: 0,
  unsentMs: 0,
  ...more,
});
const SOUND: AuthRunningOverviewReply = {
  services: ["auth", "payment", "works"].map((name) => service(name)),
  queues: [
    { name: "personal", dead: 0, waiting: 0, retrying: [] },
    { name: "order", dead: 0, waiting: 3, retrying: [] },
  ],
  parts: ["cache", "bus", "objects", "disk"].map((name) => ({ name, ready: true, failing: [] })),
  unsent: 0,
  audited: 7,
};
const retry = {
  id: "e1",
  key: "auth.account.registered",
  error: "连接被拒绝",
  tries: 4,
  at: Date.now() - 30_000,
};

const show = (more: Partial<AuthRunningOverviewReply>, address = "/running") => {
  answers({ "session/me": me(ALL), "running/overview": { datas: { ...SOUND, ...more } } });
  return open(address);
};
const faults = async () =>
  within(await screen.findByRole("list", { name: "需要处理" }))
    .getAllByRole("listitem")
    .map((item) => item.textContent);
const rowsOf = async (caption: string) =>
  within(await screen.findByRole("table", { name: caption }))
    .getAllByRole("row")
    .slice(1)
    .map((row) => [...row.children].map((cell) => cell.textContent));

it("when nothing is wrong it says so; a process that serves everything is told once", async () => {
  const { user } = show({});
  expect(await screen.findByText("一切正常")).toBeInTheDocument();
  expect(await rowsOf("服务")).toEqual([
    ["账号与认证（auth）", "就绪", "1 / 1", "0"],
    ["支付（payment）", "就绪", "1 / 1", "0"],
    ["作品（works）", "就绪", "1 / 1", "0"],
  ]);
  const processes = await rowsOf("进程");
  expect(processes).toHaveLength(1);
  expect(processes[0]).toMatchObject(["site-1:4242", "就绪", "全部服务", "1.4.0", {}, "1 分钟前"]);
  // only the queue that has something, until all are asked for
  expect(await rowsOf("队列")).toEqual([["订单（order）", "3", "0", "0"]]);
  await user.click(screen.getByRole("button", { name: "显示全部 2 个" }));
  expect(await rowsOf("队列")).toHaveLength(2);
  expect(await findings()).toEqual([]);
});

it("what is wrong comes first: services by their cause, parts, a replica, consumers, events and dead letters", async () => {
  const failing = instance({ name: "pay-2:7", ready: false, problems: ["数据库连接不上"] });
  show({
    services: [
      service("auth"),
      service("payment", { instances: [instance({ name: "pay-1:7" }), failing] }),
      service("works", { ready: false, instances: [] }),
      service("order", { ready: false, instances: [] }),
      service("process", {
        ready: false,
        instances: [
          instance({ name: "job-1:9", ready: false, problems: [], reportedAt: Date.now() - 300_000 }),
        ],
      }),
      service("personal", { unsent: 12, unsentMs: 420_000 }),
      service("content", { unsent: 1, unsentMs: 900 }),
    ],
    parts: [
      { name: "cache", ready: false, failing: ["pay-2:7"] },
      { name: "disk", ready: false, failing: ["job-1:9"] },
    ],
    queues: [
      { name: "personal", dead: 2, waiting: 0, retrying: [] },
      { name: "order", dead: 0, waiting: 9, retrying: [{ ...retry, id: "e0", error: "旧", at: 1 }, retry] },
    ],
    unsent: 13,
  });
  expect(await faults()).toEqual([
    "故障2 项服务 未就绪作品、订单：没有收到任何进程的报告",
    "故障模型处理 未就绪最近一次报告在 5 分钟前",
    "故障缓存 连接不上1 个进程：pay-2:7",
    "故障磁盘 空间不足1 个进程：job-1:9",
    "注意进程 pay-2:7 未就绪数据库连接不上（支付）",
    "注意订单 正在重试 2 个事件连接被拒绝",
    "注意用户中心 有 12 个事件没有发出最早的已等待 7 分钟",
    "注意用户中心 有 2 条死信已放弃处理，需要重新投递或丢弃",
  ]);
  expect(screen.getByRole("link", { name: "用户中心 有 2 条死信" })).toHaveAttribute(
    "href",
    "/running/deadLetters?queue=personal",
  );
  const services = await rowsOf("服务");
  expect(services[1]).toEqual(["支付（payment）", "部分就绪", "1 / 2", "0"]);
  expect(services[2]).toEqual(["作品（works）", "没有报告", "0 / 0", "0"]);
  expect(services[4]).toEqual(["模型处理（process）", "未就绪", "0 / 1", "0"]);
  expect(services[5]).toEqual(["用户中心（personal）", "就绪", "1 / 1", "12，最早等了 7 分钟"]);
  // those that need attention first
  expect((await rowsOf("进程")).map(([name]) => name)).toEqual([
    "job-1:9",
    "pay-2:7",
    "pay-1:7",
    "site-1:4242",
  ]);
  expect(await rowsOf("正在重试的事件")).toMatchObject([
    ["订单（order）", "auth.account.registered", "4 次", {}, "连接被拒绝", "e1"],
    ["订单（order）", "auth.account.registered", "4 次", {}, "旧", "e0"],
  ]);
  expect(await findings()).toEqual([]);
});

it("a consumer whose backlog cannot be counted is named, and counts for nothing", async () => {
  const queues = [
    { name: "personal", dead: -1, waiting: -1, retrying: [] },
    { name: "order", dead: 2, waiting: 0, retrying: [] },
  ];
  show({ queues });
  const wrong = await faults();
  expect(wrong[0]).toContain("的积压无法统计");
  expect(await rowsOf("队列")).toEqual([
    ["用户中心（personal）", "未知", "0", "未知"],
    ["订单（order）", "0", "0", "2"],
  ]);
  expect(screen.getByRole("link", { name: "订单 有 2 条死信" })).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "死信 2" })).toBeInTheDocument();
});

it("a process with several services keeps the problems that only one of them tells", async () => {
  show({
    services: [
      service("auth"),
      service("works", { instances: [instance({ problems: ["缩略图积压"] })] }),
      service("order", { instances: [instance({ name: "order-1:3" })] }),
    ],
  });
  expect(await faults()).toEqual(["注意进程 site-1:4242 有异常缩略图积压（账号与认证、作品）"]);
});

const card = async () => within(await screen.findByRole("region", { name: "服务健康" }));

it("the first page says that all is ready only if it is", async () => {
  const { view } = show({}, "/");
  expect(await (await card()).findByText("3 项服务全部就绪")).toBeInTheDocument();
  view.unmount();
  const cases: [Partial<AuthRunningOverviewReply>, string][] = [
    [{ services: [service("auth"), service("works", { ready: false, instances: [] })] }, "作品 未就绪"],
    [{ parts: [{ name: "bus", ready: false, failing: ["a:1"] }] }, "消息总线 连接不上"],
    [{ queues: [{ name: "order", dead: 0, waiting: 0, retrying: [retry] }] }, "订单 正在重试 1 个事件"],
  ];
  for (const [more, words] of cases) {
    const { view: one } = show(more, "/");
    const health = await card();
    expect(await health.findByRole("link", { name: words })).toHaveAttribute("href", "/running");
    expect(health.getByText("1 项异常")).toBeInTheDocument();
    expect(health.queryByText(/全部就绪/)).toBeNull();
    one.unmount();
  }
});

const GONE = { code: 60105, message: "死信已不存在" };
const letter = (id: string) => ({ id, key: "process.check.finished", error: "busy", at: 1_790_000_000_000 });

/** Dead letters of two consumers, of which one can be taken away meanwhile. */
function deadLetters(replies: Parameters<typeof answers>[0], permissions = ALL) {
  const left = new Set(["d1", "d2"]);
  const heard = answers({
    "session/me": me(permissions),
    "running/overview": () => ({
      datas: {
        ...SOUND,
        queues: [
          { name: "order", dead: 1, waiting: 0, retrying: [] },
          { name: "personal", dead: left.size, waiting: 0, retrying: [] },
        ],
      },
    }),
    "running/deadLetters": ({ queue }) => ({
      datas: { letters: queue === "personal" ? [...left].map(letter) : [letter("o1")] },
    }),
    ...replies,
  });
  return { heard, left };
}

it("a dead letter is discarded with a reason, after a word about what that means; its queue stays", async () => {
  const { heard, left } = deadLetters({
    "running/discard": ({ id }) => {
      left.delete(String(id));
      left.delete("d2");
      return {};
    },
  });
  const { user } = open("/running/deadLetters");
  await user.click(await screen.findByRole("button", { name: "丢弃 process.check.finished d1" }));
  const dialog = within(await screen.findByRole("dialog", { name: "丢弃死信" }));
  expect(dialog.getByText(/再也不会处理这个事件，也无法恢复/)).toBeInTheDocument();
  await user.click(dialog.getByRole("button", { name: "已手工处理" }));
  await user.click(dialog.getByRole("button", { name: "丢弃" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(await screen.findByText("没有死信")).toBeInTheDocument();
  expect(heard.find(({ call }) => call === "running/discard")?.body).toEqual({
    queue: "personal",
    id: "d1",
    reason: "已手工处理",
  });
  expect(screen.getByRole("region", { name: "用户中心（personal）" })).toBeInTheDocument();
});

it.each([
  ["丢弃", "丢弃死信", "running/discard"],
  ["重新投递", "重新投递", "running/redeliver"],
])(
  "%s: what a colleague was quicker with is told, and the list is read anew",
  async (button, title, call) => {
    const { left } = deadLetters({
      [call]: () => {
        left.delete("d1");
        return GONE;
      },
    });
    const { user } = open("/running/deadLetters?queue=personal");
    await user.click(await screen.findByRole("button", { name: `${button} process.check.finished d1` }));
    const dialog = within(await screen.findByRole("dialog", { name: title }));
    await user.type(dialog.getByRole("textbox"), "已修复");
    await user.click(dialog.getByRole("button", { name: button }));
    expect(await dialog.findByText("死信已不存在")).toBeInTheDocument();
    await user.click(dialog.getByRole("button", { name: "取消" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(screen.getAllByRole("row")).toHaveLength(2);
    expect(screen.queryByRole("button", { name: `${button} process.check.finished d1` })).toBeNull();
  },
);

it("whoever may only look is offered neither", async () => {
  deadLetters({}, ["running.read"]);
  open("/running/deadLetters");
  expect(await screen.findAllByText("process.check.finished")).toHaveLength(2);
  expect(screen.queryByRole("button", { name: /丢弃|重新投递/ })).toBeNull();
});

it("another consumer's page never shows the letters of the one before", async () => {
  deadLetters({});
  const { user, router } = open("/running/deadLetters");
  expect(await screen.findByText("d1")).toBeInTheDocument();
  await user.click(screen.getByRole("combobox", { name: "消费方" }));
  await user.click(await screen.findByRole("option", { name: "订单（order）：1 条" }));
  expect(screen.queryByText("d1")).toBeNull();
  expect(await screen.findByText("o1")).toBeInTheDocument();
  expect(router.state.location.search).toBe("?queue=order");
});

it("an operator's act on its way to the log is redelivered, never discarded, and the row says why", async () => {
  const act = { ...letter("a1"), key: "personal.audit.recorded" };
  deadLetters({ "running/deadLetters": { datas: { letters: [letter("d1"), act] } } });
  open("/running/deadLetters");
  const table = await screen.findByRole("table", { name: "用户中心（personal）的死信" });
  const row = within(within(table).getByRole("row", { name: /personal\.audit\.recorded/ }));
  expect(row.getByRole("button", { name: "重新投递 personal.audit.recorded a1" })).toBeInTheDocument();
  expect(row.queryByRole("button", { name: /丢弃/ })).toBeNull();
  expect(row.getByText("操作日志，不能丢弃")).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "丢弃 process.check.finished d1" })).toBeInTheDocument();
  // as cards on a phone, each value names itself
  expect(row.getByRole("cell", { name: "busy" })).toHaveAttribute("data-title", "最后一次错误");
  expect(await findings()).toEqual([]);
});
