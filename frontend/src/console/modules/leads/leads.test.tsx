import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { findings } from "@/test/axe";
import { ALL, answers, me, open } from "../../test/console";

const lead = {
  id: "l1",
  state: "new",
  companyName: "北岸机械",
  contactName: "周宁",
  phoneMasked: "138****8000",
  createdAt: 1_790_000_000_000,
  updatedAt: 1_790_000_000_000,
  operator: "",
};
const call = (name: string) => `/api-console/personal/leads/${name}`;

it("lists who waits (K262)", async () => {
  answers({
    "session/me": me(ALL),
    [call("list")]: { datas: { leads: [lead], next: "", waiting: 1, waitingSince: lead.createdAt } },
  });
  open("/leads");
  expect(await screen.findByText("1 份待联系")).toBeInTheDocument();
  expect(screen.getByText("北岸机械")).toHaveAttribute("href", "/leads/l1");
  expect(screen.getByText("138****8000")).toBeInTheDocument();
  expect(await findings()).toEqual([]);
});

it("shows the number for a look in the log, and moves with a note (K263 to K266)", async () => {
  let state = "new";
  const heard = answers({
    "session/me": me(ALL),
    [call("list")]: { datas: { leads: [lead], next: "", waiting: 1, waitingSince: lead.createdAt } },
    [call("show")]: () => ({ datas: { lead: { ...lead, state }, demand: "两千个零件", note: "" } }),
    [call("phone")]: { datas: { phone: "13800138000" } },
    [call("move")]: (body) => {
      state = String(body.state);
      return { datas: { lead: { ...lead, state }, demand: "两千个零件", note: "" } };
    },
    [call("remove")]: {},
  });
  const { user } = open("/leads/l1");
  expect(await screen.findByText("两千个零件")).toBeInTheDocument();
  expect(screen.queryByText("13800138000")).not.toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "查看完整手机号" }));
  expect(await screen.findByText("13800138000")).toBeInTheDocument();
  await user.click(screen.getByRole("combobox", { name: "状态" }));
  await user.click(await screen.findByRole("option", { name: "已联系" }));
  await user.type(screen.getByLabelText("备注"), "周四再打");
  await user.click(screen.getByRole("button", { name: "保存" }));
  await waitFor(() =>
    expect(heard.find((one) => one.call === call("move"))?.body).toEqual({
      id: "l1",
      knownState: "new",
      state: "contacted",
      note: "周四再打",
    }),
  );
  expect(await findings()).toEqual([]);
  await user.click(screen.getByRole("button", { name: "删除" }));
  const dialog = await screen.findByRole("dialog", { name: "删除这份申请" });
  await user.click(within(dialog).getByRole("button", { name: "申请人要求删除" }));
  await user.click(within(dialog).getByRole("button", { name: "删除" }));
  await waitFor(() =>
    expect(heard.find((one) => one.call === call("remove"))?.body).toEqual({
      id: "l1",
      reason: "申请人要求删除",
    }),
  );
});

it("who may only read sees the masked number and changes nothing", async () => {
  answers({
    "session/me": me(["lead.read"]),
    [call("show")]: { datas: { lead, demand: "两千个零件", note: "" } },
  });
  open("/leads/l1");
  expect(await screen.findByText("138****8000")).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "查看完整手机号" })).not.toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "保存" })).not.toBeInTheDocument();
  expect(screen.getByText("没有备注")).toBeInTheDocument();
});
