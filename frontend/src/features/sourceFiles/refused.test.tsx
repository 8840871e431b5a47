import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { findings } from "@/test/axe";
import { answer } from "@/test/server";
import { frameAnswers, openSite } from "@/test/site";

const tips =
  "没有面，也没有点：V、F 不是 OBJ 的语句，关键字必须是小写（v、f）。请把这些行改为小写，或用建模软件重新导出一次";
const file = {
  fileId: "f1",
  fileName: "楼梯.obj",
  modelName: "楼梯",
  format: "obj",
  fileSize: 2048,
  modelType: 1,
  status: "failed",
  tips,
  released: false,
  createTime: 1_790_000_000_000,
  triangles: 0,
  animation: false,
  modelNum: 0,
  previewUrl: null,
  thumbUrl: null,
  report: null,
  labelIds: [],
  sha256: "",
  score: 0,
  turntableUrl: null,
  proxyUrl: "",
};

test("a refused file shows its whole reason beside its name, and its page", async () => {
  answer({
    ...frameAnswers(),
    list: { datas: { totalCount: 1, results: [file] } },
    card_list: { datas: { totalCount: 0, results: [] } },
  });
  openSite("/workbench/myUpload", { signedIn: true });
  const files = await screen.findByRole("list", { name: "源文件" });
  const reason = await within(files).findByText(tips);
  // Not on one line that ends with dots.
  expect(getComputedStyle(reason).whiteSpace).not.toBe("nowrap");
  expect(within(files).getByText("楼梯.obj")).toBeInTheDocument();
  expect(within(files).getByRole("link", { name: "楼梯" })).toHaveAttribute(
    "href",
    "/workbench/myUpload/sourceFile?fileId=f1",
  );
  expect(await findings(screen.getByRole("main"))).toEqual([]);
});
