import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { rememberCode, rememberedCode } from "@/features/auth/invitedCode";
import { renderDialog } from "@/test/render";
import { answer } from "@/test/server";
import { frameAnswers, openSite } from "@/test/site";
import { dateText } from "@/ui/dateText";

const UNTIL = new Date(2026, 11, 7, 15, 0).getTime();
const extension = (enterUntil?: number) => ({
  inviteCode: "A1B2C3D4",
  inviteUrl: "/extension?code=A1B2C3D4",
  invitedCount: 0,
  qualifiedCount: 0,
  rewardTotal: 0,
  monthCount: 0,
  monthLimit: 20,
  rewardEach: 1000,
  totalCount: 0,
  records: [],
  enterUntil,
});
const points = { datas: { integral: 0, totalCount: 0, records: [], results: [] } };

test("the extension page shows the code, what it earned and whom it brought (AC017)", async () => {
  answer({
    ...frameAnswers(),
    detail: {
      datas: {
        inviteCode: "A1B2C3D4",
        inviteUrl: "/login?invitedcode=A1B2C3D4",
        invitedCount: 12,
        qualifiedCount: 7,
        rewardTotal: 7050,
        monthCount: 3,
        monthLimit: 20,
        rewardEach: 1000,
        totalCount: 2,
        records: [
          { phone: "138****0001", state: "rewarded", reward: 1000, createTime: 1_790_000_000_000 },
          { phone: "139****0002", state: "pending", reward: 0, createTime: 1_790_000_000_001 },
        ],
      },
    },
    integralInfo: { datas: { integral: 45, totalCount: 0, records: [], results: [] } },
  });
  openSite("/workbench/account/myExtension", { signedIn: true });
  const main = within(await screen.findByRole("main"));
  expect(await main.findByText("A1B2C3D4")).toBeInTheDocument();
  expect(main.getByText(`${window.location.origin}/login?invitedcode=A1B2C3D4`)).toBeInTheDocument();
  expect(main.getByText(/双方各得 10.00 元云币；每月最多奖励 20 次/)).toBeInTheDocument();
  for (const figure of ["12", "3/20", "70.50"]) expect(main.getByText(figure)).toBeInTheDocument();
  const row = (phone: string) => main.getByText(phone).closest("tr") as HTMLElement;
  expect(within(row("138****0001")).getByText("已奖励")).toBeInTheDocument();
  expect(within(row("138****0001")).getByText(dateText(1_790_000_000_000))).toBeInTheDocument();
  expect(within(row("139****0002")).getByText("等待首个模型通过体检")).toBeInTheDocument();
});

test("the code of an invitation link waits in the registration's last step", async () => {
  answer(frameAnswers());
  const { user, store } = openSite("/extension?code=E5F6-G7H8");
  expect(await screen.findByText("E5F6G7H8")).toBeInTheDocument();
  const main = within(screen.getByRole("main"));
  await user.click(main.getByRole("button", { name: "免费注册" }));
  expect(store.getState().authDialog).toMatchObject({ open: true, step: "register" });
  cleanup();
  renderDialog("promotion");
  expect(screen.getByLabelText("推广码")).toHaveValue("E5F6G7H8");
});

test("who skipped a friend's code enters it later, while it is possible", async () => {
  let refused = true;
  const calls = answer({
    ...frameAnswers(),
    detail: { datas: extension(UNTIL) },
    integralInfo: points,
    saveInvitedCode: () => (refused ? { code: 60300, message: "推广码不存在" } : { code: 200 }),
  });
  const { user } = openSite("/workbench/account/myExtension", { signedIn: true });
  const main = within(await screen.findByRole("main"));
  expect(await main.findByRole("heading", { name: "填写好友的推广码" })).toBeInTheDocument();
  expect(main.getByText(/2026-12-07 15:00 之前可以填写一次/)).toBeInTheDocument();
  await user.type(main.getByLabelText("推广码"), "E5F6G7H8");
  await user.click(main.getByRole("button", { name: "提交" }));
  expect(await screen.findByText("推广码不存在")).toBeInTheDocument();
  expect(main.getByLabelText("推广码")).toHaveValue("E5F6G7H8");

  refused = false;
  await user.click(main.getByRole("button", { name: "提交" }));
  expect(await screen.findByText("推广码已填写")).toBeInTheDocument();
  await waitFor(() => expect(main.queryByText("填写好友的推广码")).not.toBeInTheDocument());
  expect(calls.find(({ name }) => name === "saveInvitedCode")?.form).toMatchObject({
    uid: "u1",
    invitedcode: "E5F6G7H8",
  });
});

test("a code entered already, or too late, is not asked for", async () => {
  answer({ ...frameAnswers(), detail: { datas: extension() }, integralInfo: points });
  openSite("/workbench/account/myExtension", { signedIn: true });
  const main = within(await screen.findByRole("main"));
  expect(await main.findByText("A1B2C3D4")).toBeInTheDocument();
  for (const name of ["复制推广码", "复制邀请链接"])
    expect(main.getByRole("button", { name })).toBeInTheDocument();
  expect(main.queryByText("填写好友的推广码")).not.toBeInTheDocument();
});

/** My page, where the code can be entered until another tab has done so. */
function openMine(refusal?: { code: number; message: string }) {
  const mine = { until: UNTIL as number | undefined };
  const calls = answer({
    ...frameAnswers(),
    detail: () => ({ datas: extension(mine.until) }),
    integralInfo: points,
    saveInvitedCode: () => refusal ?? { code: 200 },
  });
  return { calls, mine, ...openSite("/workbench/account/myExtension", { signedIn: true }) };
}

test.each([
  [60105, "您已填写过推广码"],
  [60100, "注册超过 7 天，不能再填写推广码"],
])("a refusal for good (%i) stays to be read, and the field goes", async (code, message) => {
  const { user, mine } = openMine({ code, message });
  await user.type(await screen.findByLabelText("推广码"), "E5F6G7H8");
  mine.until = undefined;
  await user.click(screen.getByRole("button", { name: "提交" }));
  await waitFor(() => expect(screen.queryByLabelText("推广码")).not.toBeInTheDocument());
  expect(within(screen.getByRole("main")).getByText(message)).toBeVisible();
});

test("coming back to the window: what another tab entered is not asked for any more", async () => {
  const { user, mine, calls } = openMine();
  await user.type(await screen.findByLabelText("推广码"), "E5F6");
  const clock = vi.spyOn(Date, "now").mockReturnValue(Date.now() + 60_000);
  const reads = () => calls.filter(({ name }) => name === "detail").length;
  const before = reads();
  fireEvent.focus(window);
  await waitFor(() => expect(reads()).toBe(before + 1));
  // What is being typed survives the reading.
  expect(screen.getByLabelText("推广码")).toHaveValue("E5F6");
  mine.until = undefined;
  clock.mockReturnValue(Date.now() + 60_000);
  fireEvent.focus(window);
  await waitFor(() => expect(screen.queryByLabelText("推广码")).not.toBeInTheDocument());
  clock.mockRestore();
});

test("the own code of an own link is neither filled in nor kept", async () => {
  rememberCode("a1b2c3d4");
  openMine();
  expect(await screen.findByLabelText("推广码")).toHaveValue("");
  expect(rememberedCode()).toBe("");
});

test.each([
  ["unknown", { code: 60104, message: "推广码不存在" }, ""],
  ["impossible", { code: 60100, message: "不能填写由您邀请的用户的推广码" }, ""],
  ["out of reach", { status: 503 }, "E5F6G7H8"],
])("a code of a link that is %s is kept only if it may be right", async (_what, refusal, kept) => {
  rememberCode("E5F6G7H8");
  const { user, calls } = openMine(refusal as { code: number; message: string });
  expect(await screen.findByLabelText("推广码")).toHaveValue("E5F6G7H8");
  await user.click(screen.getByRole("button", { name: "提交" }));
  await waitFor(() => expect(calls.some(({ name }) => name === "saveInvitedCode")).toBe(true));
  await waitFor(() => expect(screen.getByRole("button", { name: "提交" })).toBeEnabled());
  expect(rememberedCode()).toBe(kept);
});

test.each([
  ["the own code", "a1b2c3d4", UNTIL, /^这是您自己的推广码/, ""],
  [
    "a friend's code",
    "E5F6G7H8",
    UNTIL,
    /^好友的推广码，2026-12-07 15:00 之前可在“我的推广”填写$/,
    "E5F6G7H8",
  ],
  [
    "a friend's code, too late",
    "E5F6G7H8",
    undefined,
    /^好友的推广码。您已填写过推广码，或已超过填写期限$/,
    "",
  ],
])("the link's page tells a signed-in user what %s is for", async (_what, code, until, note, kept) => {
  answer({ ...frameAnswers(), detail: { datas: extension(until) } });
  openSite(`/extension?code=${code}`, { signedIn: true });
  expect(await screen.findByText(note)).toBeVisible();
  expect(screen.queryByText(/注册后填写/)).not.toBeInTheDocument();
  expect(screen.getByRole("link", { name: "我的推广" })).toHaveAttribute(
    "href",
    "/workbench/account/myExtension",
  );
  expect(rememberedCode()).toBe(kept);
});
