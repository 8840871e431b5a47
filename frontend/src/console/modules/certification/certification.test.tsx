import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { findings } from "@/test/axe";
import type { AuthCertificationItem } from "../../api/generated/auth";
import { SECRET_MS } from "../../kit/secret";
import { ALL, answers, me, open, type Replies } from "../../test/console";
import { holder } from "./words";

afterEach(() => vi.useRealTimers());

const item = (more: Partial<AuthCertificationItem> = {}): AuthCertificationItem => ({
  id: "c1",
  loginId: "u1",
  kind: "personal",
  state: "submitted",
  name: "张**",
  number: "1****************X",
  submittedAt: Date.now() - 3_600_000,
  claimedBy: "",
  claimedUntil: 0,
  decidedBy: "",
  decidedAt: 0,
  cause: "",
  ...more,
});

const site = (more: Partial<AuthCertificationItem> = {}, permissions = ALL): Replies => ({
  "session/me": me(permissions),
  "certification/queue": { datas: { items: [item(more)], next: "", waiting: 1, oldestAt: Date.now() } },
  "certification/show": {
    datas: {
      item: item(more),
      checkStatus: 0,
      parts: ["details", "front", "back"],
      history: [],
      sameNumber: [],
      accountsPerNumber: 3,
      picturesUntil: 0,
    },
  },
  "certification/reveal": ({ part }) => ({
    datas:
      part === "details"
        ? { fields: [{ name: "idCard", value: "11010519491231002X" }], picture: "" }
        : { fields: [], picture: "/9j/" },
  }),
  "certification/decide": {},
});

it("the queue begins with what waits, and goes on to everything", async () => {
  const heard = answers(site());
  const { user, router } = open("/certification");
  expect(await screen.findByRole("link", { name: "张**" })).toHaveAttribute("href", "/certification/c1");
  const asked = () => heard.filter(({ call }) => call === "certification/queue").at(-1)?.body.state;
  expect(asked()).toBe("submitted");
  await user.click(screen.getByRole("combobox", { name: /状态/ }));
  await user.click(await screen.findByRole("option", { name: "全部" }));
  await waitFor(() => expect(asked()).toBe("all"));
  expect(router.state.location.search).toBe("?state=all");
  expect(await findings()).toEqual([]);
});

it("shows number and pictures by one call each, and for a minute only", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const heard = answers(site());
  const { user } = open("/certification/c1", "t1", { advanceTimers: vi.advanceTimersByTime });
  await screen.findByRole("heading", { level: 1, name: /个人认证：张\*\*/ });
  expect(screen.getByText("1****************X")).toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "查看完整信息" }));
  expect(await screen.findByText("11010519491231002X")).toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "查看身份证人像面" }));
  const picture = await screen.findByRole("img", { name: "身份证人像面" });
  expect(picture).toHaveAttribute("src", "data:image/jpeg;base64,/9j/");
  expect(await findings()).toEqual([]);
  const looks = heard.filter(({ call }) => call === "certification/reveal").map(({ body }) => body.part);
  expect(looks).toEqual(["details", "front"]);
  await vi.advanceTimersByTimeAsync(SECRET_MS);
  await waitFor(() => expect(screen.queryByText("11010519491231002X")).toBeNull());
  await waitFor(() => expect(screen.queryByRole("img", { name: "身份证人像面" })).toBeNull());
});

it("a refusal sends the reason that its owner reads", async () => {
  const heard = answers(site());
  const { user } = open("/certification/c1");
  await user.click(await screen.findByRole("button", { name: "驳回" }));
  const dialog = await screen.findByRole("dialog", { name: "驳回认证" });
  await user.click(within(dialog).getByRole("button", { name: "证件已过有效期" }));
  await user.click(within(dialog).getByRole("button", { name: "驳回" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  const decided = heard.find(({ call }) => call === "certification/decide");
  expect(decided?.body).toEqual({ id: "c1", approve: false, reason: "证件已过有效期" });
});

it("what somebody else has claimed, or one may only read, is not offered", async () => {
  const claimed = { claimedBy: "chen", claimedUntil: Date.now() + 60_000 };
  expect(holder(item(claimed))).toBe("chen");
  expect(holder(item({ ...claimed, claimedUntil: Date.now() - 1 }))).toBe("");
  expect(holder(item({ ...claimed, state: "approved" }))).toBe("");
  answers(site(claimed));
  const { view } = open("/certification/c1");
  expect(await screen.findByText("chen 正在审核，暂时不能处理")).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "通过" })).toBeNull();
  view.unmount();
  answers(site({}, ["certification.read"]));
  open("/certification/c1");
  expect(await screen.findByText("没有查看证件照片的权限")).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: /查看完整|通过|驳回|领取/ })).toBeNull();
});
