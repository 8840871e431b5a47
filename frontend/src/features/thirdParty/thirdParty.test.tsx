import { screen, waitFor, within } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { expect, it, onTestFinished } from "vitest";
import { setConfig } from "@/api/config";
import { renderPage } from "@/test/render";
import { answer } from "@/test/server";
import { testConfig } from "@/test/setup";
import { ThirdPartyPanel } from ".";

const linked = { id: "i1", type: "wechat", nickname: "小明", avatar: "", bindTime: 1_790_000_000_000 };

function renderPanel() {
  return renderPage(
    <MemoryRouter>
      <ThirdPartyPanel />
    </MemoryRouter>,
  );
}

it("shows what is linked, and unlinks after a question", async () => {
  setConfig({ ...testConfig, wechatAppId: "wx", qqAppId: "qq" });
  onTestFinished(() => void setConfig(testConfig));
  let accounts = [linked];
  const calls = answer({
    getMyThirdPartyAccount: () => ({ datas: accounts }),
    removeThirdPartyAccountById: () => {
      accounts = [];
      return {};
    },
  });
  const { user } = renderPanel();
  expect(await screen.findByText(/^小明，2026-/)).toBeVisible();
  expect(screen.getByRole("button", { name: "绑定QQ" })).toBeVisible();
  // the signs that the sign-in has, not their first letters
  for (const row of screen.getAllByRole("listitem")) expect(row.querySelector("svg")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "解绑微信" }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.click(dialog.getByRole("button", { name: "解除绑定" }));
  expect(await screen.findByText("已解除绑定")).toBeVisible();
  await waitFor(() => expect(screen.getByRole("button", { name: "绑定微信" })).toBeVisible());
  expect(calls.find(({ name }) => name === "removeThirdPartyAccountById")?.form).toMatchObject({ id: "i1" });
});

it("is not there where no provider is set up", async () => {
  const calls = answer({ getMyThirdPartyAccount: { datas: [] } });
  renderPanel();
  await waitFor(() => expect(calls).toHaveLength(1));
  await waitFor(() => expect(screen.queryByText("第三方账号")).toBeNull());
});
