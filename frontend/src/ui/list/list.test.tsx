import { fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { expect, test } from "vitest";
import { Providers } from "@/app/Providers";
import { type ProcessSourceFile, useListFilesQuery } from "@/calls/process";
import { deferred } from "@/test/deferred";
import { startStore } from "@/test/render";
import { type Answer, answer, type HeardCall } from "@/test/server";
import { startUser } from "@/test/user";
import type { Column } from "@/ui/DataTable";
import { ChoiceFilter, DaysFilter, ListPage, ListTabs, SearchFilter, useListAddress, useListState } from ".";

const COLUMNS: readonly Column<ProcessSourceFile>[] = [
  { key: "name", title: "名称", render: ({ fileName }) => fileName },
];
const STATES = { ready: "可用", failed: "未通过" };
const TABS = [
  { key: "all", text: "全部" },
  { key: "scene", text: "倾斜摄影" },
];

function Files({ useList }: { useList: typeof useListAddress }) {
  const list = useList({
    fields: ["keyword", "status", "from", "to"],
    tab: "tab",
    known: { status: STATES },
    pageSize: 2,
  });
  const { keyword, status, tab } = list.values;
  const files = useListFilesQuery({
    pageNo: list.page,
    pageSize: list.pageSize,
    keyword,
    status,
    modelType: tab === "scene" ? 2 : 0,
  });
  return (
    <>
      <ListPage
        what="文件"
        query={files}
        list={list}
        tabs={<ListTabs list={list} name="tab" label="种类" tabs={TABS} />}
        filters={
          <>
            <SearchFilter list={list} name="keyword" label="按名称搜索" />
            <ChoiceFilter list={list} name="status" label="状态" all="全部状态" choices={STATES} />
            <DaysFilter list={list} />
          </>
        }
        columns={COLUMNS}
        rowKey={({ fileId }) => fileId}
        empty={{ title: "还没有文件" }}
      />
      <button type="button" onClick={() => void files.refetch()}>
        再读一次
      </button>
    </>
  );
}

const NAMES = ["甲", "乙", "丙", "丁", "戊"];
const pageOf = (names: readonly string[], totalCount = names.length): Answer => ({
  datas: { totalCount, results: names.map((fileName) => ({ fileId: fileName, fileName })) },
});

/** The server: files whose name contains the keyword, two a page. */
function files({ form }: HeardCall): Answer {
  const found = NAMES.filter((name) => name.includes(form.keyword ?? ""));
  const start = (Number(form.pageNo) - 1) * 2;
  return pageOf(found.slice(start, start + 2), found.length);
}

function open(
  list: Answer | ((call: HeardCall) => Answer | Promise<Answer>),
  query = "",
  useList = useListAddress,
) {
  const heard = answer({ list });
  const router = createMemoryRouter([{ path: "*", element: <Files useList={useList} /> }], {
    initialEntries: [`/files${query}`],
  });
  render(
    <Providers store={startStore()}>
      <RouterProvider router={router} />
    </Providers>,
  );
  return {
    user: startUser(),
    heard,
    action: () => router.state.historyAction,
    query: () => decodeURIComponent(router.state.location.search),
  };
}

const rows = async (...names: string[]) => {
  await waitFor(() => expect(screen.queryAllByRole("cell").map((cell) => cell.textContent)).toEqual(names));
};
const clear = () => screen.getByRole("button", { name: "清除条件" });

test("a skeleton until the first answer, then the rows and how many there are", async () => {
  const { promise, resolve } = deferred();
  open(async (call) => {
    await promise;
    return files(call);
  });
  expect(screen.getByRole("status", { name: "正在加载" })).toBeInTheDocument();
  resolve();
  await rows("甲", "乙");
  expect(screen.getByRole("table", { name: "文件" })).toBeInTheDocument();
  expect(screen.getByText("共 5 条")).toBeInTheDocument();
});

test("a failed read is repeated; rows stay when a later one fails", async () => {
  let down = true;
  const { user } = open((call) => (down ? { code: 60500, message: "系统繁忙" } : files(call)));
  await screen.findByText("文件没有读取成功");
  down = false;
  await user.click(screen.getByRole("button", { name: "重试" }));
  await rows("甲", "乙");
  down = true;
  await user.click(screen.getByRole("button", { name: "再读一次" }));
  await screen.findByText("文件没有更新成功，显示的是此前的内容。");
  await rows("甲", "乙");
  down = false;
  await user.click(screen.getByRole("button", { name: "重试" }));
  await waitFor(() => expect(screen.queryByText(/没有更新成功/)).toBeNull());
  down = true;
  // Another page has no old rows to show.
  await user.click(screen.getByRole("button", { name: "第 2 页" }));
  await screen.findByText("文件没有读取成功");
  await rows();
});

test.each([
  { code: 60403, message: "只能查看自己的文件" },
  { code: 403, status: 403, message: "没有权限执行此操作" },
])("a refusal ($code) in the server's words, without a retry", async (refusal) => {
  open(refusal);
  const refused = within(
    (await screen.findByText("没有查看文件的权限")).closest("[role=status]") as HTMLElement,
  );
  expect(refused.getByText(refusal.message)).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "重试" })).toBeNull();
});

test("empty, and empty by filter until that is cleared", async () => {
  const { user, query } = open(
    ({ form }) => pageOf(form.status ? [] : ["甲"]),
    "?status=failed&page=2&tab=scene",
  );
  await screen.findByText("没有符合条件的文件");
  await user.click(clear());
  await rows("甲");
  // The tab is not a filter.
  expect(query()).toBe("?tab=scene");
  expect(screen.queryByRole("button", { name: "清除条件" })).toBeNull();
});

test("nothing at all", async () => {
  open(pageOf([]), "?status=unheard-of");
  await screen.findByText("还没有文件");
});

test("pages are in the address, without entries in the history", async () => {
  const { user, query, heard, action } = open(files);
  await user.click(await screen.findByRole("button", { name: "第 3 页" }));
  await rows("戊");
  expect(action()).toBe("REPLACE");
  expect(query()).toBe("?page=3");
  expect(heard.at(-1)?.form).toMatchObject({ pageNo: "3", pageSize: "2" });
  await user.click(screen.getByRole("button", { name: "第 1 页" }));
  await rows("甲", "乙");
  expect(query()).toBe("");
});

test.each(["-1", "0", "x", "1.5"])("page=%s is the first", async (page) => {
  const { heard } = open(files, `?page=${page}`);
  await rows("甲", "乙");
  expect(heard.map(({ form }) => form.pageNo)).toEqual(["1"]);
});

test("a page beyond the last one leads to the first", async () => {
  const { user, query } = open(files, "?page=9");
  await screen.findByText("这一页已经没有内容");
  await user.click(screen.getByRole("button", { name: "回到第一页" }));
  await rows("甲", "乙");
  expect(query()).toBe("");
});

test("the last row of the last page is removed: the page before it", async () => {
  let names = NAMES;
  const { user, query } = open(({ form }) => {
    const start = (Number(form.pageNo) - 1) * 2;
    return pageOf(names.slice(start, start + 2), names.length);
  }, "?page=3");
  await rows("戊");
  names = NAMES.slice(0, 4);
  await user.click(screen.getByRole("button", { name: "再读一次" }));
  await rows("丙", "丁");
  expect(query()).toBe("?page=2");
});

test("filters and tabs go back to the first page and keep each other", async () => {
  const { user, query, heard } = open(files, "?page=2&other=1");
  await rows("丙", "丁");
  await user.click(screen.getByRole("combobox", { name: "状态" }));
  await user.click(screen.getByRole("option", { name: "可用" }));
  await waitFor(() => expect(query()).toBe("?other=1&status=ready"));
  await user.click(screen.getByRole("tab", { name: "倾斜摄影" }));
  await waitFor(() => expect(query()).toBe("?other=1&status=ready&tab=scene"));
  await user.type(screen.getByRole("textbox", { name: "开始日期" }), "2026-11-2{Enter}");
  await waitFor(() => expect(query()).toBe("?other=1&status=ready&tab=scene&from=2026-11-02"));
  expect(heard.at(-1)?.form).toMatchObject({ pageNo: "1", status: "ready", modelType: "2" });
  await user.click(clear());
  await waitFor(() => expect(query()).toBe("?other=1&tab=scene"));
});

test("Enter submits the text of a search, not while it is composed; leaving the field submits it too", async () => {
  const { user, query, heard } = open(files);
  const field = screen.getByRole("textbox", { name: "按名称搜索" });
  await user.type(field, "bing");
  fireEvent.keyDown(field, { key: "Enter", isComposing: true });
  fireEvent.keyDown(field, { key: "Enter", keyCode: 229 });
  await user.clear(field);
  await user.type(field, " 丙 {Enter}");
  await rows("丙");
  expect(query()).toBe("?keyword=丙");
  expect(new Set(heard.map(({ form }) => form.keyword))).toEqual(new Set(["", "丙"]));
  await user.clear(field);
  await user.type(field, "丁");
  await user.tab();
  await rows("丁");
  await user.click(clear());
  await waitFor(() => expect(field).toHaveValue(""));
});

test("a list with a state of its own leaves the address alone", async () => {
  const { user, query } = open(files, "?page=2&keyword=丁", useListState);
  await rows("甲", "乙");
  await user.click(screen.getByRole("button", { name: "第 2 页" }));
  await rows("丙", "丁");
  await user.type(screen.getByRole("textbox", { name: "按名称搜索" }), "戊{Enter}");
  await rows("戊");
  expect(query()).toBe("?page=2&keyword=丁");
});
