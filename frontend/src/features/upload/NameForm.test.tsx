import { act, screen, waitFor, within } from "@testing-library/react";
import { type ReactNode, useState } from "react";
import { describe, expect, it, vi } from "vitest";
import { authEndpoints } from "@/calls/auth";

import { syncSession } from "@/session";
import { writeLogin } from "@/session/cookies";
import { renderPage } from "@/test/render";
import { answer, names } from "@/test/server";
import { NameForm } from "./NameForm";

const categories = {
  datas: [
    { id: "10", name: "行业", parentId: "0" },
    { id: "20", name: "类型", parentId: "0" },
  ],
};
const labels = { datas: [{ id: "1001", name: "机械制造", parentId: "10" }] };

let show: (form: ReactNode) => void = () => undefined;

/** Mounts the form only after sign-in. */
function Slot() {
  const [form, setForm] = useState<ReactNode>();
  show = setForm;
  return form;
}

function open(more: Parameters<typeof answer>[0], defaultLabels: string[] = []) {
  const heard = answer({
    getLabelCateListByCateType: categories,
    getLabelObjectListByParentId: labels,
    textAntispamScan: {},
    update_model_file: {},
    ...more,
  });
  writeLogin("tok-1", "u1");
  const onCancel = vi.fn();
  const onDone = vi.fn();
  const page = renderPage(<Slot />);
  act(() => {
    page.store.dispatch(syncSession());
  });
  act(() =>
    show(
      <NameForm
        fileId="77"
        modelType="object"
        defaultName="齿轮"
        defaultLabels={defaultLabels}
        submitText="保存"
        release={false}
        onCancel={onCancel}
        onDone={onDone}
      />,
    ),
  );
  return { ...page, heard, onCancel, onDone };
}

const picker = () => screen.getByTestId("label-picker");
const room = () => Number.parseInt(getComputedStyle(picker()).minHeight, 10);

describe("the room for labels", () => {
  it("is held while they load, and stays the same when they are there", async () => {
    open({});
    expect(picker()).toHaveAttribute("aria-busy", "true");
    expect(screen.queryByRole("combobox")).not.toBeInTheDocument();
    const held = room();
    expect(held).toBeGreaterThan(100);
    expect(await screen.findByRole("button", { name: "机械制造" })).toBeVisible();
    expect(picker()).toHaveAttribute("aria-busy", "false");
    expect(room()).toBe(held);
  });

  it("is held for a catalogue that is empty", async () => {
    open({ getLabelCateListByCateType: { datas: [] } });
    const held = room();
    expect(await screen.findByText(/还没有可选的标签/)).toBeVisible();
    expect(room()).toBe(held);
  });

  it("is held when they do not come, and they come on retry; what was chosen stays", async () => {
    let down = true;
    const { user, heard, onDone } = open(
      { getLabelCateListByCateType: () => (down ? { code: 60300, message: "服务繁忙" } : categories) },
      ["1001"],
    );
    const held = room();
    expect(await screen.findByText(/标签没有读取成功，已选的 1 个标签会保留/)).toBeVisible();
    expect(room()).toBe(held);
    down = false;
    await user.click(within(picker()).getByRole("button", { name: "重试" }));
    expect(await screen.findByRole("button", { name: "机械制造" })).toHaveAttribute("aria-pressed", "true");
    await user.click(screen.getByRole("button", { name: "保存" }));
    await waitFor(() => expect(onDone).toHaveBeenCalled());
    expect(heard.find((call) => call.name === "update_model_file")?.form.labelIds).toBe("1001");
  });
});

it("closes when the label categories answer 401 (ER016)", async () => {
  const { heard, onCancel, store } = open({
    getLabelCateListByCateType: { status: 401, code: 401, message: "" },
    userIsExist: { datas: true },
  });
  await waitFor(() => expect(onCancel).toHaveBeenCalled());
  // Once with the expired token, once as a visitor while the form is still shown, and no more.
  const asked = () => names(heard).filter((name) => name === "getLabelCateListByCateType").length;
  await waitFor(() => expect(asked()).toBe(2));
  await store.dispatch(authEndpoints.userIsExist.initiate({ username: "13800138000" }));
  expect(asked()).toBe(2);
});
