import { act, screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { syncSession } from "@/session";
import { writeLogin } from "@/session/cookies";
import { answer, type HeardCall, names } from "@/test/server";
import { frameAnswers, openSite, person } from "@/test/site";

const NAMES: Record<string, string> = { u1: "山水之间听雨人", u2: "乙的昵称" };
const SAID = "已在另一个窗口换了账号，请重新操作";

/** The account page of `u1`; every call is answered for the user who sent it. */
async function openAccount() {
  const calls = answer({
    ...frameAnswers(),
    queryInfo: ({ form }: HeardCall) => ({
      datas: {
        ...person,
        nickName: NAMES[form.userId ?? ""],
        mobileNum: "138****8000",
        companyDetailInfo: null,
      },
    }),
    accountSecurity: { code: 60404, message: "该服务尚未开放" },
    getMyThirdPartyAccount: { datas: [] },
    list: { datas: { results: [] } },
    signIns: { datas: { totalCount: 0, results: [] } },
    modifyUserInfo: { datas: { tips: [] } },
  });
  const page = openSite("/workbench/account/accountManagement", { signedIn: true });
  await waitFor(() => expect(nickname()).toHaveValue(NAMES.u1));
  await page.user.type(nickname(), "改");
  return { ...page, calls };
}

const nickname = () => screen.getByRole("textbox", { name: "昵称" });
const save = () => screen.getByRole("button", { name: "保存资料" });

it("what a page shows is whose data it changes: nothing is sent for another account", async () => {
  const { user, calls, store } = await openAccount();
  // In another window, somebody else signs in.
  writeLogin("tok-2", "u2");
  await user.click(save());
  expect(await screen.findByText(SAID)).toBeVisible();
  expect(store.getState().session.loginId).toBe("u2");
  await waitFor(() => expect(nickname()).toHaveValue(NAMES.u2));
  expect(names(calls)).not.toContain("modifyUserInfo");

  await user.type(nickname(), "新");
  await user.click(save());
  await waitFor(() => expect(names(calls)).toContain("modifyUserInfo"));
  const sent = calls.find(({ name }) => name === "modifyUserInfo");
  expect(sent?.headers.get("authorization")).toBe("Bearer tok-2");
  expect(sent?.form).toMatchObject({ userId: "u2", nickname: `${NAMES.u2}新` });
  // Said once; by now it may be gone again.
  expect(screen.queryAllByText(SAID).length).toBeLessThan(2);
});

it("what was typed for one account is not kept for the next", async () => {
  const { store } = await openAccount();
  writeLogin("tok-2", "u2");
  act(() => {
    store.dispatch(syncSession());
  });
  await waitFor(() => expect(nickname()).toHaveValue(NAMES.u2));
  expect(save()).toBeDisabled();
});

it("the same account keeps it when another window renews the token", async () => {
  const { store } = await openAccount();
  writeLogin("tok-2", "u1");
  act(() => {
    store.dispatch(syncSession());
  });
  expect(store.getState().session.authorization).toBe("tok-2");
  expect(nickname()).toHaveValue(`${NAMES.u1}改`);
});
