import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { answers, me, open } from "../../test/console";
import { isNeeded, withReading } from "./reading";

const KNOWN = ["certification.read", "certification.decide", "work.read", "workCategory.manage"];

test("a permission brings the reading one of its own area, where there is one", () => {
  expect(withReading(["certification.decide"], KNOWN)).toEqual([
    "certification.decide",
    "certification.read",
  ]);
  expect(withReading(["workCategory.manage"], KNOWN)).toEqual(["workCategory.manage"]);
  expect(withReading(["certification.decide"], ["certification.decide"])).toEqual(["certification.decide"]);
  expect(isNeeded("certification.read", ["certification.read"], KNOWN)).toBe(false);
  expect(isNeeded("certification.read", ["certification.read", "certification.decide"], KNOWN)).toBe(true);
  expect(isNeeded("work.read", ["work.read", "certification.decide"], KNOWN)).toBe(false);
});

test("a role that decides also reads, and reading stays until the deciding is taken away", async () => {
  const permissions = ["certification.read", "certification.decide"].map((id) => ({ id, calls: ["K72"] }));
  const role = { id: "r1", title: "审核", permissions: [], builtIn: false, operators: 0 };
  const heard = answers({
    "session/me": me(["*"]),
    "roles/list": { datas: { roles: [role], permissions } },
    "roles/save": {},
  });
  const { user } = open("/operators/roles");
  await user.click(await screen.findByRole("button", { name: "修改角色 审核" }));
  const dialog = within(await screen.findByRole("dialog"));
  const [read, decide] = dialog.getAllByRole("checkbox");
  if (!read || !decide) throw new Error("two permissions");
  await user.click(read);
  expect(read).toBeEnabled();
  await user.click(read);
  expect(read).not.toBeChecked();
  await user.click(decide);
  expect(read).toBeChecked();
  expect(read).toBeDisabled();
  expect(read).toHaveAccessibleName(/其他权限需要/);
  await user.click(decide);
  expect(read).toBeChecked();
  expect(read).toBeEnabled();
  await user.click(decide);
  await user.click(dialog.getByRole("button", { name: "职责调整" }));
  await user.click(dialog.getByRole("button", { name: "保存" }));
  await screen.findByText("角色已保存");
  expect(heard.find(({ call }) => call === "roles/save")?.body.permissions).toEqual([
    "certification.read",
    "certification.decide",
  ]);
});
