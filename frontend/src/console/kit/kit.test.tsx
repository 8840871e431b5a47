import { fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { useState } from "react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, expect, it, vi } from "vitest";
import { csvCell, csvText } from "@/lib/csv";
import { findings } from "@/test/axe";
import { startUser } from "@/test/user";
import { changes, Difference, readValue } from "./difference";
import { readAll } from "./export";
import { Late } from "./Late";
import { type Filter, List, type ListColumn } from "./list";
import { DecisionBar, ReasonDialog } from "./reason";
import { SECRET_MS, SecretField } from "./secret";
import { useList } from "./useList";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it.each([
  ["=1+1", "'=1+1"],
  ["+86 138", "'+86 138"],
  ["-2", "'-2"],
  ["@SUM(A1)", "'@SUM(A1)"],
  [" =cmd|'/c calc'!A1", "' =cmd|'/c calc'!A1"],
  ["\t=1", "'\t=1"],
  ["＝1", "'＝1"],
  ["a,b", '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ["=1\n", '"\'=1\n"'],
  ["玄览", "玄览"],
])("an export holds %j as %j", (text, cell) => expect(csvCell(text)).toBe(cell));

it("numbers of an export stay numbers, and Excel is told the encoding", () => {
  expect(
    csvText([
      ["数", "文"],
      [-5, null],
    ]),
  ).toBe("\uFEFF数,文\r\n-5,\r\n");
});

it("reads every page of an export, and stops when told", async () => {
  const fetchPage = vi.fn(async (after: string) => ({
    rows: Array.from({ length: 100 }, (_, index) => `${after}${index}`),
    next: { "": "a", a: "b" }[after] ?? "",
  }));
  const all = await readAll(fetchPage, () => true);
  expect(all).toMatchObject({ whole: true });
  expect(all?.rows).toHaveLength(300);
  expect(await readAll(fetchPage, () => false)).toBeUndefined();
});

it("a change is told field by field", () => {
  const before = readValue('{"state":"normal","limits":{"a":1,"b":2}}');
  const after = readValue('{"state":"frozen","limits":{"a":1,"b":3},"reason":"x"}');
  expect(changes(before, after)).toEqual([
    { path: "state", before: "normal", after: "frozen" },
    { path: "limits.b", before: "2", after: "3" },
    { path: "reason", before: undefined, after: "x" },
  ]);
  render(<Difference before={before} after={after} />);
  expect(screen.getByRole("row", { name: "状态 state normal frozen" })).toBeInTheDocument();
  expect(readValue("no json")).toBe("no json");
});

interface Row {
  id: number;
  name: string;
}
const filters: readonly Filter[] = [
  { kind: "text", name: "keyword", label: "关键词" },
  { kind: "choice", name: "state", label: "状态", choices: [{ value: "frozen", text: "已冻结" }] },
];
const columns: readonly ListColumn<Row>[] = [
  { key: "name", title: "名称", render: (row) => row.name, csv: (row) => row.name },
];

function People({ rows = [], next = "", error }: { rows?: Row[]; next?: string; error?: unknown }) {
  const state = useList(filters);
  return (
    <List
      id="people"
      what="用户"
      filters={filters}
      state={state}
      columns={columns}
      rowKey={(row) => row.id}
      result={error ? undefined : { rows, next }}
      error={error}
      loading={false}
      onRetry={() => undefined}
    />
  );
}

function at(address: string, element: React.ReactNode) {
  const router = createMemoryRouter([{ path: "/people", element }], { initialEntries: [address] });
  render(<RouterProvider router={router} />);
  return { user: startUser(), query: () => router.state.location.search };
}

it("a list keeps its filters in the address, goes back to page one, and keeps views", async () => {
  const { user, query } = at("/people?after=c3", <People rows={[{ id: 1, name: "甲" }]} next="c4" />);
  expect(screen.getByRole("button", { name: "上一页" })).toBeDisabled();
  await user.click(screen.getByRole("button", { name: "下一页" }));
  expect(query()).toBe("?after=c4");
  await user.click(screen.getByRole("button", { name: "上一页" }));
  await waitFor(() => expect(query()).toBe("?after=c3"));
  await user.type(screen.getByRole("searchbox", { name: "关键词" }), "138{Enter}");
  expect(query()).toBe("?keyword=138");
  await user.click(screen.getByRole("combobox", { name: /状态/ }));
  await user.click(await screen.findByRole("option", { name: "已冻结" }));
  expect(query()).toBe("?keyword=138&state=frozen");

  await user.click(screen.getByRole("button", { name: "保存当前筛选" }));
  await user.type(screen.getByRole("textbox", { name: "名称" }), "冻结的{Enter}");
  await user.click(await screen.findByRole("button", { name: "清除筛选" }));
  expect(query()).toBe("");
  await user.click(await screen.findByRole("link", { name: "冻结的" }));
  expect(new URLSearchParams(query()).get("state")).toBe("frozen");
  expect(await findings()).toEqual([]);
});

it("a list tells apart nothing at all, nothing found, a page too far, a failure and a missing permission", () => {
  at("/people", <People />);
  expect(screen.getByText("还没有用户")).toBeInTheDocument();
  at("/people?keyword=x", <People />);
  expect(screen.getByText("没有符合条件的用户")).toBeInTheDocument();
  at("/people?after=c9", <People />);
  expect(screen.getByText("这一页已经没有内容")).toBeInTheDocument();
  at("/people", <People error={{ status: 500, message: "数据库没有应答" }} />);
  expect(screen.getByText("数据库没有应答")).toBeInTheDocument();
  at("/people", <People error={{ status: 403, message: "" }} />);
  expect(screen.getByText("没有查看用户的权限")).toBeInTheDocument();
});

it("a decision needs a reason, tells why it failed, and is not offered without permission", async () => {
  const user = startUser();
  const onConfirm = vi.fn().mockRejectedValueOnce({ message: "账号已经冻结" }).mockResolvedValue(undefined);
  render(
    <DecisionBar
      decisions={[
        { id: "freeze", text: "冻结", danger: true, templates: ["涉嫌盗号"], onConfirm },
        { id: "close", text: "注销", allowed: false, onConfirm },
      ]}
    />,
  );
  expect(screen.queryByRole("button", { name: "注销" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "冻结" }));
  const dialog = await screen.findByRole("dialog", { name: "冻结" });
  expect(await findings(dialog)).toEqual([]);
  const confirm = () => user.click(screen.getAllByRole("button", { name: "冻结" }).at(-1) as HTMLElement);
  await confirm();
  expect(await screen.findByText(/请写明原因/)).toBeInTheDocument();
  expect(onConfirm).not.toHaveBeenCalled();
  await user.click(screen.getByRole("button", { name: "涉嫌盗号" }));
  await confirm();
  expect(await screen.findByText("账号已经冻结")).toBeInTheDocument();
  await confirm();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(onConfirm).toHaveBeenLastCalledWith("涉嫌盗号");
});

it("a secret is asked for by a click and leaves the page after a minute", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const user = startUser({ advanceTimers: vi.advanceTimersByTime });
  const reveal = vi.fn(async () => "13800000001");
  render(<SecretField label="手机号" masked="138****0001" reveal={reveal} />);
  expect(reveal).not.toHaveBeenCalled();
  await user.click(screen.getByRole("button", { name: "查看完整手机号" }));
  expect(await screen.findByText("13800000001")).toBeInTheDocument();
  await vi.advanceTimersByTimeAsync(SECRET_MS);
  await waitFor(() => expect(screen.queryByText("13800000001")).toBeNull());
  expect(screen.getByText("138****0001")).toBeInTheDocument();
});

it("a plain value in place of a record is told too, and a moment as a time", () => {
  const time = new Date(2026, 10, 30, 9, 5, 7).getTime();
  expect(changes({ frozenUntil: time, reason: "x" }, "active")).toEqual([
    { path: "值", before: undefined, after: "active" },
    { path: "frozenUntil", before: "2026-11-30 09:05:07", after: undefined },
    { path: "reason", before: "x", after: undefined },
  ]);
  expect(changes({ roles: { a: 1 } }, { roles: [] })).toEqual([
    { path: "roles", before: undefined, after: "[]" },
    { path: "roles.a", before: "1", after: undefined },
  ]);
  expect(changes({ frozenUntil: 0 }, undefined)[0]?.before).toBe("—");
  render(<Difference before={{ frozenUntil: time }} after="active" />);
  expect(screen.getByRole("row", { name: "值 — active" })).toBeInTheDocument();
  expect(screen.getByRole("row", { name: "冻结至 frozenUntil 2026-11-30 09:05:07 —" })).toBeInTheDocument();
});

function Bar() {
  const [open, setOpen] = useState(true);
  const onConfirm = async () => {
    setOpen(false);
    throw { message: "账号没有被冻结" };
  };
  return <DecisionBar decisions={[{ id: "thaw", text: "解冻", allowed: open, onConfirm }]} />;
}

it("a decision that its refusal takes away stays open and tells why", async () => {
  const user = startUser();
  render(<Bar />);
  await user.click(screen.getByRole("button", { name: "解冻" }));
  const dialog = await screen.findByRole("dialog", { name: "解冻" });
  await user.type(within(dialog).getByRole("textbox"), "误判了");
  await user.click(within(dialog).getByRole("button", { name: "解冻" }));
  expect(await within(dialog).findByText("账号没有被冻结")).toBeInTheDocument();
  await user.click(within(dialog).getByRole("button", { name: "取消" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(screen.queryByRole("button", { name: "解冻" })).toBeNull();
});

it("a reason needs two characters that are seen", async () => {
  const user = startUser();
  const onConfirm = vi.fn(async () => undefined);
  render(<DecisionBar decisions={[{ id: "a", text: "关闭", onConfirm }]} />);
  await user.click(screen.getByRole("button", { name: "关闭" }));
  const dialog = await screen.findByRole("dialog");
  for (const text of ["试", "\u200b\u200b\u202e", "试 \u200b"]) {
    await user.clear(within(dialog).getByRole("textbox"));
    await user.type(within(dialog).getByRole("textbox"), text);
    await user.click(within(dialog).getByRole("button", { name: "关闭" }));
    expect(await within(dialog).findByText(/请写明原因，至少两个字/)).toBeInTheDocument();
  }
  expect(onConfirm).not.toHaveBeenCalled();
});

it("a part whose script does not come says so in its place, keeps the rest, and is loaded again when asked to", async () => {
  const user = startUser();
  let up = false;
  const load = () =>
    up ? Promise.resolve({ default: () => <p>内容在此</p> }) : Promise.reject(new Error("chunk"));
  // the site is away: no document would come either
  vi.stubGlobal("fetch", async () => {
    throw new TypeError("offline");
  });
  const text = <input aria-label="备注" defaultValue="写了一半" />;
  render(
    <>
      {text}
      <Late isPage load={load} props={{}} what="设置" waiting={<p>请稍候</p>} />
    </>,
  );
  expect(screen.getByText("请稍候")).toBeInTheDocument();
  expect(await screen.findByText("设置没有读取成功")).toBeInTheDocument();
  expect(screen.getByRole("heading", { level: 1, name: "设置" })).toBeInTheDocument();
  expect(sessionStorage.getItem("xuanlan.chunkReload")).toBeNull();
  up = true;
  await user.click(screen.getByRole("button", { name: "重试" }));
  expect(await screen.findByText("内容在此")).toBeInTheDocument();
  expect(screen.getByLabelText("备注")).toHaveValue("写了一半");
});

it("the first field of a dialog has the focus, the reason where it is alone", async () => {
  const act = (fields?: React.ReactNode) => (
    <ReasonDialog
      ask={{ title: "添加", confirmText: "添加", fields, onConfirm: async () => undefined }}
      onClose={() => undefined}
    />
  );
  const { unmount } = render(act());
  await waitFor(() => expect(screen.getByLabelText("原因（必填）")).toHaveFocus());
  unmount();
  render(
    act(
      <>
        <input type="hidden" />
        <input aria-label="登录名" />
        <input aria-label="角色" />
      </>,
    ),
  );
  await waitFor(() => expect(screen.getByLabelText("登录名")).toHaveFocus());
});

it("a reason that is too long is kept whole and told, and the error goes once it is right", async () => {
  const user = startUser();
  const onConfirm = vi.fn(async () => undefined);
  render(<DecisionBar decisions={[{ id: "a", text: "关闭", templates: ["资料不实"], onConfirm }]} />);
  await user.click(screen.getByRole("button", { name: "关闭" }));
  const dialog = within(await screen.findByRole("dialog"));
  const confirm = () => user.click(dialog.getByRole("button", { name: "关闭" }));
  const box = dialog.getByRole("textbox");
  await confirm();
  expect(await dialog.findByText(/请写明原因/)).toBeInTheDocument();
  await user.click(dialog.getByRole("button", { name: "资料不实" }));
  expect(dialog.queryByText(/请写明原因/)).toBeNull();
  fireEvent.change(box, { target: { value: "字".repeat(400) } });
  expect(dialog.queryByText(/ \/ 500/)).toBeNull();
  fireEvent.change(box, { target: { value: "字".repeat(502) } });
  expect(dialog.getByText("502 / 500")).toBeInTheDocument();
  expect(box).toHaveValue("字".repeat(502));
  expect(dialog.getByText("原因最多 500 个字，请删去 2 个字")).toBeInTheDocument();
  await confirm();
  expect(onConfirm).not.toHaveBeenCalled();
  fireEvent.change(box, { target: { value: "字".repeat(500) } });
  expect(dialog.queryByRole("alert")).toBeNull();
  await confirm();
  await waitFor(() => expect(onConfirm).toHaveBeenCalledWith("字".repeat(500)));
});
