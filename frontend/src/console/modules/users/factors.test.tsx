import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { findings } from "@/test/axe";
import { ALL, answers, me, open, type Replies } from "../../test/console";

const NOW = 1_790_000_000_000;
const wechat = { id: "l1", provider: "wechat", nickname: "木鱼", linkedAt: NOW };
const qq = { id: "l2", provider: "qq", nickname: "", linkedAt: NOW };
const user = {
  loginId: "u1",
  accountNumber: "XL1",
  phone: "",
  email: "",
  nickname: "木鱼",
  professionCode: "",
  state: "active",
  createdAt: NOW,
};

/** A user with a second factor and two links, as long as they are not taken away. */
function person(replies: Replies = {}, permissions = ALL) {
  const has = { factor: true, links: [wechat, qq] };
  const heard = answers({
    "session/me": me(permissions),
    "users/show": () => ({
      datas: {
        user,
        uploaderType: 0,
        frozenUntil: 0,
        frozenReason: "",
        sessions: [],
        wrongPasswordsHour: 0,
        wrongPasswordsDay: 0,
        codesDay: 0,
        secondFactorAt: has.factor ? NOW : 0,
        recoveryCodes: has.factor ? 7 : 0,
        links: has.links,
      },
    }),
    ...replies,
  });
  return { heard, has };
}
const panel = async () => within(await screen.findByRole("region", { name: "登录方式" }));
const gone = () => waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());

it("shows the second factor and the links; who may not reset is offered nothing", async () => {
  const { has } = person({}, ["user.read"]);
  const { view } = open("/users/u1");
  const first = await panel();
  expect(await first.findByText("已开启")).toBeInTheDocument();
  expect(first.getByText(/开启，恢复码还剩 7 个/)).toBeInTheDocument();
  expect(first.getByText("微信")).toBeInTheDocument();
  expect(first.getByText("QQ")).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: /重置两步验证|解除绑定/ })).toBeNull();
  expect(await findings()).toEqual([]);
  view.unmount();
  has.factor = false;
  has.links = [];
  open("/users/u1");
  const second = await panel();
  expect(await second.findByText("未开启")).toBeInTheDocument();
  expect(second.getByText("没有绑定第三方账号")).toBeInTheDocument();
});

it.each([
  ["重置两步验证", "重置两步验证", "重置", "resetFactor", {}],
  ["解除绑定 微信 木鱼", "解除绑定 微信 木鱼", "解除绑定", "unlink", { id: "l1" }],
])(
  "%s: after the person was verified, with a reason; the page follows",
  async (button, title, confirm, call, more) => {
    const { heard, has } = person({
      [`users/${call}`]: () => {
        if (call === "unlink") has.links = [qq];
        else has.factor = false;
        return {};
      },
    });
    const { user: hand } = open("/users/u1");
    await hand.click(await screen.findByRole("button", { name: button }));
    const dialog = within(await screen.findByRole("dialog", { name: title }));
    expect(
      dialog.getByText(/请先核实对方就是账号本人.*登录会话会全部结束，本人会收到通知/),
    ).toBeInTheDocument();
    await hand.click(dialog.getByRole("button", { name: "本人申请，已核对认证信息" }));
    await hand.click(dialog.getByRole("button", { name: confirm }));
    await gone();
    expect(heard.find((one) => one.call === `users/${call}`)?.body).toEqual({
      loginId: "u1",
      reason: "本人申请，已核对认证信息",
      ...more,
    });
    await waitFor(() => expect(screen.queryByRole("button", { name: button })).toBeNull());
  },
);

it("the only way into an account is not taken away: the dialog says why", async () => {
  person({ "users/unlink": { code: 60105, message: "这是该账号唯一的登录方式" } });
  const { user: hand } = open("/users/u1");
  await hand.click(await screen.findByRole("button", { name: "解除绑定 QQ" }));
  const dialog = within(await screen.findByRole("dialog", { name: "解除绑定 QQ" }));
  await hand.type(dialog.getByRole("textbox"), "已核实");
  await hand.click(dialog.getByRole("button", { name: "解除绑定" }));
  expect(await dialog.findByText("这是该账号唯一的登录方式")).toBeInTheDocument();
});

it("the log of the page is read again with its other panels: after an act, and after a conflict that shows a colleague's", async () => {
  const entries: object[] = [];
  const entry = (call: string) => ({
    id: call,
    number: 1,
    at: NOW,
    call,
    operator: "chen",
    reason: "已核实",
  });
  const { has } = person({
    "audit/search": () => ({ datas: { entries, next: "" } }),
    "users/resetFactor": () => {
      has.factor = false;
      entries.push(entry("K26"));
      return { code: 60105, message: "该用户没有开启两步验证" };
    },
    "users/unlink": () => {
      entries.push(entry("K27"));
      return {};
    },
  });
  const { user: hand } = open("/users/u1");
  const log = within(await screen.findByRole("region", { name: "操作记录" }));
  expect(await log.findByText("还没有操作记录")).toBeInTheDocument();
  async function act(button: string, confirm: string) {
    await hand.click(await screen.findByRole("button", { name: button }));
    const dialog = within(await screen.findByRole("dialog", { name: button }));
    await hand.click(dialog.getByRole("button", { name: "本人申请，已核对认证信息" }));
    await hand.click(dialog.getByRole("button", { name: confirm }));
    return dialog;
  }
  const refused = await act("重置两步验证", "重置");
  expect(await refused.findByText("该用户没有开启两步验证")).toBeInTheDocument();
  expect(await log.findByText("chen · 重置用户的两步验证")).toBeInTheDocument();
  await hand.click(refused.getByRole("button", { name: "取消" }));
  await gone();
  await act("解除绑定 微信 木鱼", "解除绑定");
  await gone();
  expect(await log.findByText("chen · 解除用户的第三方绑定")).toBeInTheDocument();
});
