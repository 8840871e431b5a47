import { ThemeProvider } from "@mui/system";
import { render, screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { theme } from "@/theme";
import { Bars } from "@/ui/Bars";
import { areas } from "./frame/areas";
import { searchText } from "./modules/users/words";
import { answers, me, open, type Replies } from "./test/console";

const NOW = 1_790_000_000_000;
const heading = (name: string) => screen.findByRole("heading", { level: 1, name });
const site = (more: Replies): Replies => ({ "session/me": me(["*"]), ...more });
const user = {
  loginId: "u1",
  accountNumber: "XL1",
  phone: "",
  email: "",
  nickname: "木鱼",
  professionCode: "modeler",
  state: "active",
  createdAt: NOW,
};
const found = {
  datas: {
    user,
    uploaderType: 2,
    frozenUntil: 0,
    frozenReason: "",
    sessions: [],
    wrongPasswordsHour: 0,
    wrongPasswordsDay: 0,
    codesDay: 0,
    secondFactorAt: 0,
    recoveryCodes: 0,
    links: [],
  },
};

it("each call and each permission is named by one area", () => {
  const by = new Map<string, string[]>();
  for (const { id, names = {} } of areas)
    for (const name of Object.keys(names)) by.set(name, [...(by.get(name) ?? []), id]);
  expect([...by].filter(([, modules]) => modules.length > 1)).toEqual([]);
});

it.each([
  ["/users/nope", "users/show", "用户详情", "用户", "/users"],
  ["/feedback/nope", "feedback/show", "反馈详情", "反馈", "/feedback"],
  ["/mall/modelers/nope", "modelers/show", "一位模型师", "模型师", "/mall/modelers"],
])(
  "at %s, which is not there, the page has its heading and a way back, and no retry",
  async (at, call, title, list, to) => {
    answers(
      site({
        [call]: { code: 60104, message: "不存在" },
        [`/api-console/transaction/${call}`]: { code: 60104, message: "不存在" },
        [`/api-console/personal/${call}`]: { code: 60104, message: "不存在" },
      }),
    );
    open(at);
    await heading(title);
    expect(await screen.findByText("不存在")).toBeInTheDocument();
    expect(screen.getByRole("link", { name: `‹ ${list}` })).toHaveAttribute("href", to);
    expect(screen.queryByRole("button", { name: "重试" })).toBeNull();
  },
);

it("a wrong page of a list leads back to the first", async () => {
  answers(
    site({
      "users/search": ({ after }) =>
        after ? { code: 60000 + 101, message: "参数 after 不正确" } : { datas: { users: [user], next: "" } },
    }),
  );
  const { user: hand } = open("/users?after=x");
  expect(await screen.findByText("参数 after 不正确")).toBeInTheDocument();
  await hand.click(screen.getByRole("button", { name: "回到第一页" }));
  expect(await screen.findByText("木鱼")).toBeInTheDocument();
});

it("a user's page carries the name, and the profession is told in Chinese", async () => {
  answers(site({ "users/show": found }));
  const { router } = open("/users/u1");
  await heading("木鱼 正常");
  expect(document.title).toBe("木鱼 - 玄览云运营后台");
  const facts = within(screen.getByRole("region", { name: "账号" }));
  expect(facts.getByText("模型师")).toBeInTheDocument();
  await router.navigate("/running/deadLetters");
  await heading("死信");
  expect(document.title).toBe("死信 - 玄览云运营后台");
});

it.each([
  ["138 0000 0001", "13800000001"],
  ["+86 138-0000-0001", "13800000001"],
  ["008613800000001", "13800000001"],
  ["8613800000001", "13800000001"],
  [" 木 鱼 ", "木 鱼"],
  ["XL-1", "XL-1"],
])("the search %j asks for %j", (typed, asked) => expect(searchText(typed)).toBe(asked));

it("a phone number typed with spaces is asked for without them", async () => {
  const heard = answers(site({ "users/search": { datas: { users: [user], next: "" } } }));
  open("/users?text=%2B86%20138%200000%200001");
  expect(await screen.findByText("木鱼")).toBeInTheDocument();
  expect(heard.find(({ call }) => call === "users/search")?.body.text).toBe("13800000001");
});

it("services and queues have Chinese names beside the technical ones", async () => {
  answers(
    site({
      "running/overview": {
        datas: {
          services: [
            { name: "payment", ready: true, instances: [], unsent: 0, unsentMs: 0 },
            { name: "new.part", ready: true, instances: [], unsent: 0, unsentMs: 0 },
          ],
          parts: [{ name: "objects", ready: true, failing: [] }],
          queues: [{ name: "personal", dead: 0, waiting: 1, retrying: [] }],
          unsent: 0,
          audited: 0,
        },
      },
    }),
  );
  open("/running");
  expect(await screen.findByText("支付（payment）")).toBeInTheDocument();
  expect(screen.getByText("对象存储（objects）")).toBeInTheDocument();
  expect(screen.getByText("用户中心（personal）")).toBeInTheDocument();
  expect(screen.getByText("new.part")).toBeInTheDocument();
});

const chart = (value: number) => (
  <ThemeProvider theme={theme}>
    <Bars title="访问" points={[{ label: "今天", value }]} />
  </ThemeProvider>
);

it("a chart without figures says so", () => {
  const { rerender } = render(chart(0));
  expect(screen.getByText("这段时间没有数据")).toBeInTheDocument();
  rerender(chart(1));
  expect(screen.queryByText("这段时间没有数据")).toBeNull();
});

it("a decision that a colleague was quicker with tells so, though the page has followed", async () => {
  let state = "frozen";
  answers(
    site({
      "users/show": () => ({ datas: { ...found.datas, user: { ...user, state } } }),
      "users/thaw": () => {
        state = "active";
        return { code: 60200, message: "账号没有被冻结" };
      },
    }),
  );
  const { user: hand } = open("/users/u1");
  await hand.click(await screen.findByRole("button", { name: "解冻" }));
  const dialog = await screen.findByRole("dialog", { name: "解冻账号" });
  await hand.click(within(dialog).getByRole("button", { name: "处罚期满" }));
  await hand.click(within(dialog).getByRole("button", { name: "解冻" }));
  expect(await within(dialog).findByText("账号没有被冻结")).toBeInTheDocument();
  await hand.click(within(dialog).getByRole("button", { name: "取消" }));
  await heading("木鱼 正常");
  expect(screen.getByRole("button", { name: "冻结" })).toBeInTheDocument();
});

it("the panel of a maker keeps its distance from the card's edge", async () => {
  const item = { loginId: "u1", nickname: "", uploaderType: 2, state: "approved", frozen: false };
  answers(
    site({
      "users/show": found,
      "/api-console/transaction/modelers/show": { datas: { item, sold: 7, records: [], listings: {} } },
    }),
  );
  open("/users/u1");
  const panel = within(await screen.findByRole("region", { name: "模型师" }));
  const facts = (await panel.findByText("售出")).closest("dl");
  expect(facts?.parentElement).toHaveStyle({ padding: "16px" });
});

it("a job's page tells a small file's size, and names the file in the tab", async () => {
  const job = {
    id: "j1",
    kind: "check",
    state: "failed",
    owner: "u1",
    fileId: "f1",
    resultId: "",
    attempts: 1,
    error: "",
    createdAt: NOW,
    updatedAt: NOW,
  };
  const detail = { job, fileName: "杯子.obj", fileSize: 22, tips: "", traceId: "", maxAttempts: 3 };
  const rest = { yields: 0, leaseUntil: 0, putOffAt: 0, canRetry: false, canCancel: false };
  answers(site({ "/api-console/process/jobs/show": { datas: { ...detail, ...rest } } }));
  open("/jobs/j1");
  expect(await screen.findByText("22 B")).toBeInTheDocument();
  expect(document.title).toContain("：杯子.obj - ");
});

it("the cards of the first page fill their rows: narrow ones first, and none stands alone with a hole beside it", async () => {
  answers(site({}));
  open("/");
  await heading("总览");
  const cards = screen.getAllByRole("region");
  const wide = areas.flatMap(({ overview = [] }) => overview).filter((card) => card.wide === 2);
  expect(cards.slice(-wide.length).map((card) => card.getAttribute("aria-label"))).toEqual(
    wide.map(({ title }) => title),
  );
  for (const card of cards) expect(card.parentElement).toHaveStyle({ flexGrow: "1" });
});

it.each([
  ["/mall", "/api-console/transaction/listings/search", { listings: [], waiting: 0 }, "没有等待审核的模型"],
  [
    "/mall/modelers",
    "/api-console/transaction/modelers/search",
    { modelers: [], waiting: 0 },
    "没有等待审核的申请",
  ],
  ["/certification", "certification/queue", { items: [], waiting: 0, oldestAt: 0 }, "没有待审核的认证"],
  ["/review", "/api-console/personal/review/list", { items: [], waiting: 0 }, "没有待审内容"],
  ["/works", "/api-console/works/works/search", { works: [], waiting: 0 }, "没有等待审核的作品"],
  [
    "/withdrawals",
    "/api-console/payment/withdrawals/search",
    { withdrawals: [], waiting: 0 },
    "没有待办的提现",
  ],
  ["/matching", "/api-console/matchup/demands/search", { demands: [], waiting: 0 }, "没有等待审核的需求"],
  [
    "/matching/providers",
    "/api-console/matchup/providers/search",
    { providers: [], waiting: 0 },
    "没有等待审核的资料",
  ],
])("at %s, where nothing waits, the filters are not blamed", async (at, call, page, words) => {
  answers(site({ [call]: { datas: { ...page, next: "" } } }));
  open(at);
  const box = await screen.findByText(words, { selector: "[role=status] *" });
  expect(box).toBeInTheDocument();
  expect(screen.queryByText(/没有符合条件的/)).toBeNull();
  expect(screen.queryByRole("button", { name: "清除筛选" })).toBeNull();
});

it.each([
  ["/leads?state=new", "/api-console/personal/leads/list", { leads: [], waiting: 0 }, "没有待联系的申请"],
  ["/feedback?state=open", "/api-console/personal/feedback/list", { items: [], open: 0 }, "没有待回复的反馈"],
  ["/invitations?state=held", "invitation/list", { items: [], waiting: 0, oldestAt: 0 }, "没有待处理的奖励"],
])(
  "at %s, where the first page leads, neither; with another filter they are",
  async (at, call, page, words) => {
    answers(site({ [call]: { datas: { ...page, next: "" } } }));
    const { router } = open(at);
    expect(await screen.findByText(words, { selector: "[role=status] *" })).toBeInTheDocument();
    expect(screen.queryByText(/没有符合条件的/)).toBeNull();
    await router.navigate(`${at}&loginId=u9&keyword=u9`);
    expect(await screen.findByText(/没有符合条件的/)).toBeInTheDocument();
  },
);
