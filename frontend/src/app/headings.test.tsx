import { screen, waitFor } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { renderDialog } from "@/test/render";
import { answer } from "@/test/server";
import { frameAnswers, openSite } from "@/test/site";
import { plainPath } from "./paths";
import { routes } from "./routes";

const lists = { datas: { totalCount: 0, results: [] } };
/** Lists are empty, single objects are missing. */
const answers = (): Parameters<typeof answer>[0] => ({
  ...frameAnswers(),
  // Coupons are a plain list; the lists of files, results and orders are paged.
  list: ({ path }) => (path.includes("/coupon/") ? { datas: [] } : lists),
  card_list: lists,
  queryAccountDetails: lists,
  detail: { code: 60300, message: "文件不存在" },
  service_detail: { code: 60300, message: "结果不存在" },
  getFileMaxSize: { code: 60300, message: "暂无配置" },
  getObjectModelFileUploadSettings: { code: 60300, message: "暂无配置" },
  getSceneModelFileUploadSettings: { code: 60300, message: "暂无配置" },
});

/** Including those hidden by a dialog over the page. */
const headings = () => [...document.querySelectorAll("h1")];

async function oneHeading(): Promise<string> {
  await waitFor(() => expect(headings()).toHaveLength(1));
  return headings()[0]?.textContent ?? "";
}

describe("each page has exactly one first heading", () => {
  const open = routes.filter((route) => route.load).map(plainPath);

  test.each([...open, "/topology", "/nothing/here"])("%s", async (path) => {
    answer(answers());
    openSite(path, { signedIn: path !== "/login" });
    expect(await oneHeading()).not.toBe("");
  });

  test.each([
    ["/workbench/myUpload/sourceFile", "没有指定要查看的文件"],
    ["/workbench/myUpload/sourceFile?fileId=gone", "文件没有读取成功"],
    ["/workbench/serviceResult/details", "没有指定要查看的结果"],
    ["/workbench/serviceResult/details?resultId=gone", "结果没有读取成功"],
  ])("%s is headed by what is wrong with it", async (address, title) => {
    answer(answers());
    openSite(address, { signedIn: true });
    expect(await screen.findByRole("heading", { level: 1, name: title })).toBeVisible();
    expect(headings()).toHaveLength(1);
  });

  test("an account that cannot be read", async () => {
    answer({ ...answers(), queryInfo: { code: 60300, message: "读取失败" } });
    openSite("/workbench/account/accoInforIndex", { signedIn: true });
    // Two parts of the page request it, the second after the first has failed.
    await waitFor(() =>
      expect(screen.getByRole("heading", { level: 1, name: "账户信息没有读到" })).toBeVisible(),
    );
    expect(headings()).toHaveLength(1);
  });

  test("the login dialog leaves the first heading to the page under it", () => {
    answer(answers());
    renderDialog("login");
    expect(screen.getByRole("heading", { level: 2, name: "登录玄览云" })).toBeVisible();
    expect(headings()).toHaveLength(0);
  });
});
