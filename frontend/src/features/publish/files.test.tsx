import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { findings } from "@/test/axe";
import { maker, publishAnswers } from "@/test/publish";
import { type Answer, answer, type HeardCall } from "@/test/server";
import { openSite } from "@/test/site";

const file = (fileId: string, modelName: string, more: object = {}) => ({
  fileId,
  modelName,
  fileName: `${modelName}.glb`,
  format: "glb",
  fileSize: 2048,
  modelType: 1,
  status: "ready",
  released: true,
  createTime: 1,
  triangles: 12,
  labelIds: [],
  thumbUrl: null,
  ...more,
});
const use = (fileId: string, name: string, more: object = {}) => ({
  fileId,
  listingId: `of-${fileId}`,
  name,
  state: "draft",
  released: false,
  described: false,
  ...more,
});

const FILES = [
  file("f2", "新齿轮"),
  file("f3", "球阀"),
  file("f4", "螺栓"),
  file("f5", "轴承"),
  file("f6", "弹簧", { released: false }),
];
const USES = [
  use("f3", "球阀精修", { state: "listed", released: true }),
  use("f4", "螺栓", { described: true }),
  use("f5", "轴承座", { state: "rejected" }),
];

const site = (answers: Record<string, Answer | ((call: HeardCall) => Answer)> = {}) => {
  const listed = maker({ state: "listed", versionState: "ready" }, { price: 100, categoryId: "c1001" });
  return answer({
    ...publishAnswers([], listed),
    list: { datas: { totalCount: FILES.length, results: FILES } },
    fileUses: { datas: { results: USES } },
    ...answers,
  });
};

describe("a new version", () => {
  async function dialog(answers?: Parameters<typeof site>[0]) {
    const heard = site(answers);
    const { user } = openSite("/publishCenter/details?listingId=l1", { signedIn: true });
    await user.click(await screen.findByRole("button", { name: "发布新版本" }));
    const box = within(await screen.findByRole("dialog", { name: "发布新版本" }));
    const files = await box.findByRole("combobox", { name: /源文件/ });
    await waitFor(() => expect(files).not.toHaveAttribute("aria-disabled", "true"));
    return {
      user,
      heard,
      box,
      open: () => user.click(files),
      sent: () => heard.filter(({ name }) => name === "addVersion").map(({ form }) => form),
    };
  }

  it("is made of a file that no other model uses; a described draft is deleted only knowingly", async () => {
    const page = await dialog({ addVersion: { datas: maker() } });
    await page.open();
    const options = await screen.findAllByRole("option");
    expect(options.map((one) => [one.textContent, one.getAttribute("aria-disabled") === "true"])).toEqual([
      ["新齿轮（GLB，2 KB）", false],
      ["球阀（GLB，2 KB）已用于《球阀精修》", true],
      ["螺栓（GLB，2 KB）草稿《螺栓》会被删除", false],
      ["轴承（GLB，2 KB）已用于《轴承座》", true],
    ]);
    await page.user.click(options[0] as HTMLElement);
    expect(page.box.queryByText(/不能恢复/)).toBeNull();
    expect(page.box.getByRole("button", { name: "提交审核" })).toBeInTheDocument();
    await page.open();
    await page.user.click(await screen.findByRole("option", { name: /^螺栓/ }));
    expect(page.box.getByText(/已有填写了资料的草稿《螺栓》/)).toBeInTheDocument();
    await page.user.type(page.box.getByRole("textbox", { name: /版本说明/ }), "新");
    await page.user.click(page.box.getByRole("button", { name: "删除草稿并提交审核" }));
    await waitFor(() =>
      expect(page.sent()).toEqual([
        expect.objectContaining({ fileId: "f4", notes: "新", giveUpDraft: "true" }),
      ]),
    );
  });

  it("asks again what the files are used for when it is refused", async () => {
    let described = false;
    const page = await dialog({
      fileUses: () => ({ datas: { results: [use("f2", "新齿轮", { described })] } }),
      addVersion: () => {
        described = true;
        return { code: 60105, message: "这个文件已有填写了资料的草稿，用作新版本会删除草稿" };
      },
    });
    await page.open();
    await page.user.click(await screen.findByRole("option", { name: /^新齿轮/ }));
    await page.user.type(page.box.getByRole("textbox", { name: /版本说明/ }), "新");
    await page.user.click(page.box.getByRole("button", { name: "提交审核" }));
    expect(await page.box.findByRole("button", { name: "删除草稿并提交审核" })).toBeInTheDocument();
    expect(page.sent().map(({ giveUpDraft }) => giveUpDraft)).toEqual([undefined]);
  });
});

describe("a file that passed its check", () => {
  it("leads to its own listing, or is released once more where that is gone", async () => {
    const heard = site({ textAntispamScan: {}, update_model_file: {}, model_release: {} });
    const { user } = openSite("/publishCenter/procedSourceFile", { signedIn: true });
    expect(await screen.findByRole("link", { name: "填写资料 螺栓" })).toHaveAttribute(
      "href",
      "/publishCenter/details?listingId=of-f4",
    );
    for (const [name, id] of [
      ["球阀", "of-f3"],
      ["轴承", "of-f5"],
    ])
      expect(screen.getByRole("link", { name: `查看 ${name}` })).toHaveAttribute(
        "href",
        `/publishCenter/details?listingId=${id}`,
      );
    expect(screen.getByRole("button", { name: "发布 弹簧" })).toBeInTheDocument();
    expect(heard.find(({ name }) => name === "fileUses")?.form.fileIds).toBe("f2,f3,f4,f5");
    expect(await findings()).toEqual([]);
    await user.click(screen.getByRole("button", { name: "重新发布 新齿轮" }));
    const dialog = within(await screen.findByRole("dialog", { name: "发布模型" }));
    await user.click(dialog.getByRole("button", { name: "发布" }));
    expect(await screen.findByText("正在加入待发布模型")).toBeInTheDocument();
    expect(heard.find(({ name }) => name === "model_release")?.form.fileId).toBe("f2");
  });

  it("is looked for by name where its listing could not be read", async () => {
    site({ fileUses: { code: 60500, message: "服务繁忙" } });
    openSite("/publishCenter/procedSourceFile", { signedIn: true });
    expect(await screen.findByRole("link", { name: "填写资料 球阀" })).toHaveAttribute(
      "href",
      `/publishCenter/toBeReleased?keyword=${encodeURIComponent("球阀")}`,
    );
  });
});
