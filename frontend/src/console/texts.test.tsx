import { ThemeProvider } from "@mui/system";
import { render, screen, within } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { expect, it, vi } from "vitest";
import { theme } from "@/theme";
import { DataTable } from "@/ui/DataTable";
import { UserText } from "@/ui/UserText";
import { List, type ListColumn } from "./kit/list";
import { Card, Facts, Figure, PageTitle, Timeline } from "./kit/page";
import { RowButton } from "./kit/RowButton";
import { RowLink } from "./kit/RowLink";
import { useList } from "./kit/useList";
import { answers, me, open } from "./test/console";

const LONG = "W".repeat(180);
const TURNED = "\u202e反向\u2066文字";
const SEEN = "[U+202E]反向[U+2066]文字";

interface Row {
  id: number;
  text: string;
}
const COLUMNS: readonly ListColumn<Row>[] = [
  { key: "text", title: "内容", render: ({ text }) => text },
  { key: "when", title: "时间", numeric: true, render: () => "昨天" },
  { key: "link", title: "链接", render: ({ text }) => <RowLink to="/x">{text}</RowLink> },
];

function Texts() {
  const state = useList([]);
  const rows = [LONG, TURNED].map((text, id) => ({ id, text }));
  return (
    <List
      id="texts"
      what="内容"
      filters={[]}
      state={state}
      columns={COLUMNS}
      rowKey={({ id }) => id}
      result={{ rows, next: "" }}
      loading={false}
      onRetry={() => undefined}
    />
  );
}

const draw = (element: React.ReactNode) =>
  render(<RouterProvider router={createMemoryRouter([{ path: "/", element }])} />);

it("a user's long word is cut in every list, and a mark of direction is seen instead of turning the text", () => {
  draw(<Texts />);
  for (const cell of screen.getAllByText(LONG))
    expect(cell).toHaveStyle({ overflow: "hidden", overflowWrap: "break-word", unicodeBidi: "isolate" });
  expect(screen.getAllByText(LONG)).toHaveLength(2);
  expect(screen.getAllByText(SEEN)).toHaveLength(2);
  for (const cell of screen.getAllByText("昨天")) expect(cell).toHaveStyle({ marginLeft: "auto" });
  expect(document.body.textContent).not.toContain("\u202e");
});

it("and so on the pages of one object", () => {
  draw(
    <>
      <PageTitle title={TURNED} />
      <Card title="内容">
        <Facts facts={[["标题", TURNED]]} />
        <Timeline entries={[{ id: "1", time: "昨天", title: TURNED, detail: TURNED }]} />
        <UserText>{TURNED}</UserText>
        <UserText>{LONG}</UserText>
      </Card>
    </>,
  );
  expect(screen.getAllByText(SEEN)).toHaveLength(5);
  expect(document.body.textContent).not.toContain("\u202e");
  expect(screen.getByText(LONG)).toHaveStyle({ overflowWrap: "anywhere", unicodeBidi: "isolate" });
});

it("a long setting leaves the others their width", async () => {
  const setting = { name: "order.grades", type: "text", value: LONG, builtIn: LONG, secret: false };
  answers({ "session/me": me(["*"]), "running/settings": { datas: { settings: [setting] } } });
  open("/settings");
  const table = await screen.findByRole("table", { name: "设置" });
  const widths = within(table)
    .getAllByRole("columnheader")
    .map((head) => (head as HTMLElement).style.width);
  expect(widths).toEqual(["30%", "34%", "28%", "8%"]);
});

it("the rail shows the entry of the page that is open", async () => {
  answers({ "session/me": me(["*"]), "audit/search": { datas: { entries: [], next: "" } } });
  const scroll = vi.spyOn(Element.prototype, "scrollIntoView").mockImplementation(() => undefined);
  open("/log");
  const link = await screen.findByRole("link", { name: "操作日志", current: "page" });
  expect(scroll.mock.contexts).toContain(link);
  scroll.mockRestore();
});

it("permissions stand under their area, in the matrix and in the dialog of a role", async () => {
  const permissions = ["user.read", "audit.read", "user.freeze", "unknown.read"].map((id) => ({
    id,
    calls: ["K20"],
  }));
  const role = { id: "r1", title: "值班", permissions: ["user.read"], builtIn: false, operators: 0 };
  answers({ "session/me": me(["*"]), "roles/list": { datas: { roles: [role], permissions } } });
  const { user } = open("/operators/roles");
  const table = await screen.findByRole("table", { name: "角色的权限" });
  const heads = within(table)
    .getAllByRole("rowheader")
    .map((head) => head.textContent);
  expect(heads).toEqual([
    "用户",
    "查看用户user.read",
    "冻结与解冻用户user.freeze",
    "操作日志",
    "查看操作日志audit.read",
    "其他",
    "unknown.readunknown.read",
  ]);
  await user.click(screen.getByRole("button", { name: "修改角色 值班" }));
  const group = within(await screen.findByRole("dialog")).getByRole("group", { name: "用户" });
  expect(within(group).getAllByRole("checkbox")).toHaveLength(2);
  expect(within(group).getByRole("checkbox", { name: "查看用户" })).toBeChecked();
});

it("a red act on a row can be read while the pointer is over the row", () => {
  const columns = [
    {
      key: "act",
      title: "操作",
      render: () => <RowButton text="结束" label="结束一" danger onClick={() => undefined} />,
    },
  ];
  draw(
    <ThemeProvider theme={theme}>
      <Card title="登录" flush>
        <DataTable caption="登录" columns={columns} rows={[1]} rowKey={(row) => row} />
      </Card>
    </ThemeProvider>,
  );
  expect(screen.getByRole("button", { name: "结束一" })).toHaveStyle({ color: theme.palette.error.dark });
});

it("what opens a row is aligned and wraps like a text of it, not like a button", () => {
  draw(
    <RowLink label="查看完整联系方式，第 7 条" onClick={() => undefined}>
      查看完整联系方式
    </RowLink>,
  );
  const opens = screen.getByRole("button", { name: "查看完整联系方式，第 7 条" });
  expect(opens).toHaveClass("text");
  // the library's buttons centre their lines
  expect(opens).not.toHaveClass("MuiButtonBase-root");
});

it("a figure that leads somewhere is named, not only by its number", () => {
  draw(<Figure name="待审核" value="3" to="/certification" note="等待" />);
  expect(screen.getByRole("link", { name: "待审核 3" })).toHaveAttribute("href", "/certification");
});
