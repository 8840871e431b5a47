import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { findings } from "@/test/axe";
import { ALL, answers, me, open, type Replies } from "../../test/console";

const site = (more: object = {}, permissions = ALL): Replies => {
  const item = {
    loginId: "u1",
    nickname: "齿轮匠",
    uploaderType: 2,
    state: "waiting",
    frozen: false,
    appliedAt: Date.now() - 60_000,
    updatedAt: 1,
    checkStatus: 1,
    version: 4,
    ...more,
  };
  return {
    "session/me": me(permissions),
    "/api-console/transaction/modelers/search": { datas: { modelers: [item], next: "", waiting: 1 } },
    "/api-console/transaction/modelers/show": {
      datas: {
        item,
        statement: "做了十年机械设计，想出售标准件。",
        reason: "",
        frozenReason: "",
        shareBp: 7000,
        companyName: "",
        realName: "张*",
        records: [{ action: "applied", reason: "", at: 1 }],
        listings: { listed: 3 },
        sold: 9,
        strikes: 0,
        page: {
          slogan: "",
          introduction: "",
          theme: "night",
          bannerId: "",
          bannerUrl: "",
          carouselIds: [],
          carousel: [],
        },
      },
    },
    "/api-console/transaction/modelers/decide": {},
    "/api-console/transaction/modelers/freeze": {},
    "/api-console/transaction/modelers/unfreeze": {},
  };
};

it("an application leads from the queue to its page, with the certification", async () => {
  answers(site());
  const { user } = open("/mall/modelers");
  await user.click(await screen.findByRole("link", { name: "齿轮匠" }));
  expect(await screen.findByRole("heading", { level: 1, name: /齿轮匠/ })).toBeInTheDocument();
  expect(screen.getByText("做了十年机械设计，想出售标准件。")).toBeInTheDocument();
  expect(screen.getByText("张*")).toBeInTheDocument();
  expect(await findings()).toEqual([]);
});

it.each([
  [
    "拒绝",
    "拒绝申请",
    "decide",
    "作品涉嫌盗用他人成果",
    { version: 4, decision: "refuse", uploaderType: 2 },
    {},
  ],
  [
    "通过",
    "通过申请",
    "decide",
    "说明清楚，作品属实",
    { version: 4, decision: "approve", uploaderType: 2 },
    {},
  ],
  ["冻结", "冻结模型师", "freeze", "多次上传他人作品", {}, { state: "approved" }],
  ["解冻", "解冻模型师", "unfreeze", "核实无误", {}, { state: "approved", frozen: true }],
])("%s sends what was looked at and the reason", async (button, title, call, reason, body, item) => {
  const heard = answers(site(item));
  const { user } = open("/mall/modelers/u1");
  await user.click(await screen.findByRole("button", { name: button }));
  const dialog = await screen.findByRole("dialog", { name: title });
  await user.click(within(dialog).getByRole("button", { name: reason }));
  await user.click(within(dialog).getByRole("button", { name: button }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  const sent = heard.find((one) => one.call === `/api-console/transaction/modelers/${call}`);
  expect(sent?.body).toEqual({ loginId: "u1", reason, ...body });
});

it("whoever may only read decides nothing", async () => {
  answers(site({}, ["listing.read", "modeler.read"]));
  open("/mall/modelers/u1");
  await screen.findByRole("heading", { level: 1, name: /齿轮匠/ });
  expect(screen.queryByRole("button", { name: /通过|拒绝|冻结/ })).toBeNull();
});
