import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, onTestFinished } from "vitest";
import type { TransactionMakerListing } from "@/calls/transaction";
import { findings } from "@/test/axe";
import { maker, publishAnswers } from "@/test/publish";
import { type Answer, answer, type HeardCall } from "@/test/server";
import { openSite } from "@/test/site";

const PAGE = "/publishCenter/details?listingId=l1";
const TERMS = { price: 100, categoryId: "c1001", intro: "十二齿" };
const listed = (more: Partial<TransactionMakerListing> = {}, listing: object = {}) =>
  maker({ state: "listed", versionState: "ready", ...more }, { ...TERMS, ...listing });

/** The page of a listing that the server may change meanwhile. */
async function edit(
  first: TransactionMakerListing,
  answers: Record<string, Answer | ((call: HeardCall) => Answer)> = {},
) {
  let now = first;
  const heard = answer({ ...publishAnswers([]), detail: () => ({ datas: now }), ...answers });
  const page = openSite(PAGE, { signedIn: true });
  await screen.findByRole("textbox", { name: "模型名称" });
  return {
    ...page,
    heard,
    changes: (next: TransactionMakerListing) => {
      now = next;
    },
    field: (name: string) => screen.getByRole("textbox", { name }),
    forms: (name: string) => heard.filter((call) => call.name === name).map(({ form }) => form),
  };
}

describe("changes of a model in the mall", () => {
  it.each([
    ["listed", "making", true, true],
    ["withdrawn", "submitted", true, true],
    ["takendown", "submitted", true, true],
    ["listed", "", false, true],
    ["listed", "rejected", false, true],
    ["listed", "failed", false, true],
    ["listed", "ready", false, false],
    ["submitted", "submitted", false, false],
    ["draft", "", false, false],
  ])("in %s with %j: taken back %s, given up %s", async (state, versionState, back, discard) => {
    await edit(maker({ state, versionState }, TERMS));
    expect(screen.queryByRole("button", { name: "撤回审核" }) !== null).toBe(back);
    expect(screen.queryByRole("button", { name: "放弃修改" }) !== null).toBe(discard);
    // a model that was never listed is taken back as before
    expect(screen.queryByRole("button", { name: "撤回" }) !== null).toBe(state === "submitted");
  });

  it("can be handed in as soon as a text is changed, not for a price", async () => {
    const page = await edit(listed());
    const submit = () => screen.queryByRole("button", { name: "保存并提交审核" });
    await page.user.type(page.field("价格"), "5");
    expect(submit()).toBeNull();
    await page.user.type(page.field("一句话介绍"), "，可转动");
    expect(submit()).toBeInTheDocument();
  });

  it("leave the review, and the form shows what the answer says", async () => {
    const page = await edit(listed({ versionState: "submitted", revision: 7 }, { name: "新名称" }), {
      takeBack: () => {
        const taken = listed({ versionState: "", revision: 8 }, { name: "新名称，未审" });
        page.changes(taken);
        return { datas: taken };
      },
    });
    expect(page.field("模型名称")).toBeDisabled();
    await page.user.click(screen.getByRole("button", { name: "撤回审核" }));
    expect(await screen.findByText("已撤回审核")).toBeInTheDocument();
    await waitFor(() => expect(page.field("模型名称")).toHaveValue("新名称，未审"));
    expect(page.field("模型名称")).toBeEnabled();
    expect(page.forms("takeBack")).toEqual([
      expect.objectContaining({ userId: "u1", listingId: "l1", discard: "false" }),
    ]);
    expect(screen.getByRole("button", { name: "保存并提交审核" })).toBeInTheDocument();
  });

  it("are given up after a question, with what was typed and not saved", async () => {
    const page = await edit(listed({ versionState: "rejected", revision: 7 }, { name: "新名称" }), {
      takeBack: () => {
        const approved = listed({ revision: 8 }, { name: "行星齿轮组" });
        page.changes(approved);
        return { datas: approved };
      },
    });
    await page.user.type(page.field("一句话介绍"), "，可转动");
    await page.user.click(screen.getByRole("button", { name: "放弃修改" }));
    const dialog = await screen.findByRole("dialog", { name: "放弃修改？" });
    expect(page.forms("takeBack")).toEqual([]);
    await page.user.click(within(dialog).getByRole("button", { name: "放弃修改" }));
    expect(await screen.findByText("已放弃修改")).toBeInTheDocument();
    await waitFor(() => expect(page.field("模型名称")).toHaveValue("行星齿轮组"));
    expect(page.field("一句话介绍")).toHaveValue("十二齿");
    expect(page.forms("takeBack")).toEqual([expect.objectContaining({ discard: "true" })]);
    expect(screen.queryByRole("button", { name: "放弃修改" })).toBeNull();
  });

  it("that were given up are told as such in the history, without pictures that are deleted", async () => {
    const version = {
      notes: "",
      fileId: "f1",
      bytes: 1,
      format: "glb",
      createdAt: 1,
      proxyUrl: "",
      textsOnly: false,
    };
    const pictures = [{ kind: "beauty", url: "https://x.test/p.webp", title: "" }];
    await edit(
      listed({
        versions: [
          { ...version, number: 2, state: "discarded", pictures },
          { ...version, number: 1, state: "ready", pictures: [] },
        ],
        records: [
          { action: "discarded", reason: "", version: 2, at: 4 },
          { action: "takenBack", reason: "", version: 2, at: 3 },
        ],
      }),
    );
    const versions = within(screen.getByRole("region", { name: "版本" }));
    expect(versions.getByText(/^第 2 版\s已放弃$/)).toBeInTheDocument();
    expect(document.querySelector('img[src="https://x.test/p.webp"]')).toBeNull();
    const records = within(screen.getByRole("region", { name: "审核记录" })).getAllByRole("listitem");
    expect(records.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^放弃修改/),
      expect.stringMatching(/^撤回审核/),
    ]);
  });
});

describe("what the operator said", () => {
  it.each([
    ["rejected", "changes", "需要修改：分类不正确。修改后可以重新提交。"],
    ["rejected", "refused", "未通过审核：分类不正确。修改后可以重新提交。"],
    ["listed", "changes", "需要修改：分类不正确。商城仍展示和销售现在的版本。修改后可以重新提交。"],
    ["listed", "refused", "未通过审核：分类不正确。商城仍展示和销售现在的版本。修改后可以重新提交。"],
    ["withdrawn", "refused", "未通过审核：分类不正确。修改后可以重新提交。"],
  ])("of a %s model by %s", async (state, decision, text) => {
    await edit(maker({ state, versionState: "rejected", decision, reason: "分类不正确" }));
    expect(screen.getByText(text)).toBeInTheDocument();
  });
});

describe("a listing that is changed elsewhere", () => {
  it("keeps what was typed here, takes the rest, and marks what both have changed", async () => {
    const page = await edit(listed({ revision: 7 }), {
      save: ({ form }) =>
        form.revision === "7"
          ? { code: 60105, message: "模型已在别处修改，请刷新后再编辑" }
          : { datas: listed({ revision: 10, versionState: "" }, { name: form.name, intro: form.intro }) },
    });
    await page.user.clear(page.field("模型名称"));
    await page.user.type(page.field("模型名称"), "齿轮箱");
    await page.user.type(page.field("一句话介绍"), "，可转动");
    page.changes(listed({ revision: 9 }, { name: "行星轮系", price: 200, license: "commercial" }));
    await page.user.click(screen.getByRole("button", { name: "保存" }));

    expect(await screen.findByText("模型已在别处修改，请核对后再保存")).toBeInTheDocument();
    expect(screen.queryByText("模型已在别处修改，请刷新后再编辑")).toBeNull();
    expect(page.field("模型名称")).toHaveValue("齿轮箱");
    expect(page.field("一句话介绍")).toHaveValue("十二齿，可转动");
    expect(page.field("价格")).toHaveValue("2.00");
    expect(screen.getByRole("radio", { name: /^商用授权/ })).toBeChecked();
    expect(screen.getByText("别处已改为：行星轮系")).toBeInTheDocument();
    expect(screen.getAllByText(/^别处已/)).toHaveLength(1);
    expect(screen.getByText(/标出的内容两边都改了/)).toBeInTheDocument();
    expect(await findings()).toEqual([]);

    // saved upon what was seen, and without what was changed there
    await page.user.click(screen.getByRole("button", { name: "保存" }));
    expect(await screen.findByText("已保存")).toBeInTheDocument();
    const sent = page.forms("save").at(-1);
    expect(sent).toMatchObject({ revision: "9", name: "齿轮箱", intro: "十二齿，可转动" });
    expect(sent).not.toHaveProperty("price");
    expect(sent).not.toHaveProperty("license");
    await waitFor(() => expect(screen.queryByText(/别处/)).toBeNull());
  });

  it("gives the other's words to whoever wants them", async () => {
    const page = await edit(listed({ revision: 7 }), {
      save: { code: 60105, message: "模型已在别处修改，请刷新后再编辑" },
    });
    await page.user.type(page.field("模型名称"), "二号");
    page.changes(listed({ revision: 8 }, { name: "行星轮系" }));
    await page.user.click(screen.getByRole("button", { name: "保存" }));
    await page.user.click(await screen.findByRole("button", { name: "改用别处的模型名称" }));
    expect(page.field("模型名称")).toHaveValue("行星轮系");
    await waitFor(() => expect(screen.queryByText(/^别处已/)).toBeNull());
  });

  it("is told in the server's words when only its state forbids the change", async () => {
    const page = await edit(listed({ revision: 7 }), {
      save: { code: 60105, message: "模型已被平台下架，不能修改" },
    });
    await page.user.clear(page.field("价格"));
    await page.user.type(page.field("价格"), "0");
    await page.user.click(screen.getByRole("button", { name: "保存" }));
    expect(await screen.findByText("模型已被平台下架，不能修改")).toBeInTheDocument();
    expect(page.field("价格")).toHaveValue("0");
  });

  it("under review meanwhile: only what may be changed is sent, the texts stay for later", async () => {
    const page = await edit(listed({ revision: 7 }), {
      submit: { datas: { results: [] } },
      save: ({ form }) =>
        form.revision === "7"
          ? { code: 60105, message: "模型已在别处修改，请刷新后再编辑" }
          : { datas: listed({ revision: 9, versionState: "submitted" }, { price: 300 }) },
    });
    await page.user.type(page.field("模型名称"), "二号");
    await page.user.clear(page.field("价格"));
    await page.user.type(page.field("价格"), "3");
    page.changes(listed({ revision: 8, versionState: "submitted" }));
    await page.user.click(screen.getByRole("button", { name: "保存" }));
    await waitFor(() => expect(page.field("模型名称")).toBeDisabled());
    await page.user.click(screen.getByRole("button", { name: "保存" }));
    expect(await screen.findByText("已保存")).toBeInTheDocument();
    const sent = page.forms("save").at(-1);
    expect(sent).toMatchObject({ revision: "8", price: "300" });
    expect(sent).not.toHaveProperty("name");
    expect(page.field("模型名称")).toHaveValue("行星齿轮组二号");
  });
});

describe("a form with unsaved input", () => {
  const leave = (page: { user: { click: (at: Element) => Promise<void> } }) =>
    page.user.click(screen.getByRole("link", { name: "已发布模型" }));

  it("asks before it is left, and stays as it is", async () => {
    const page = await edit(listed());
    await page.user.type(page.field("模型名称"), "二号");
    await leave(page);
    const dialog = await screen.findByRole("dialog", { name: "离开并放弃修改？" });
    await page.user.click(within(dialog).getByRole("button", { name: "继续编辑" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(page.at()).toBe(PAGE);
    expect(page.field("模型名称")).toHaveValue("行星齿轮组二号");
    const closing = new Event("beforeunload", { cancelable: true });
    window.dispatchEvent(closing);
    expect(closing.defaultPrevented).toBe(true);
    await leave(page);
    await page.user.click(await screen.findByRole("button", { name: "放弃修改" }));
    await waitFor(() => expect(page.at()).toBe("/publishCenter/toBeReleased?isRelase=true"));
  });

  it("does not ask once it is saved", async () => {
    const page = await edit(listed({ revision: 7 }), {
      save: { datas: listed({ revision: 8, versionState: "" }, { name: "行星齿轮组二号" }) },
    });
    await page.user.type(page.field("模型名称"), "二号");
    await page.user.click(screen.getByRole("button", { name: "保存" }));
    await screen.findByText("已保存");
    await leave(page);
    await waitFor(() => expect(page.at()).toBe("/publishCenter/toBeReleased?isRelase=true"));
  });

  it("does not keep whoever deletes the draft", async () => {
    const page = await edit(maker(), { delete: { datas: null } });
    await page.user.type(page.field("模型名称"), "二号");
    await page.user.click(screen.getByRole("button", { name: "删除草稿" }));
    await page.user.click(await screen.findByRole("button", { name: "删除" }));
    await waitFor(() => expect(page.at()).toBe("/publishCenter/toBeReleased"));
    expect(screen.queryByRole("dialog", { name: "离开并放弃修改？" })).toBeNull();
  });

  it("does not keep whoever signs out", async () => {
    const page = await edit(listed());
    await page.user.type(page.field("模型名称"), "二号");
    window.history.replaceState(null, "", PAGE);
    onTestFinished(() => window.history.replaceState(null, "", "/"));
    const { signOut } = await import("@/session");
    await signOut();
    await waitFor(() => expect(page.at()).not.toBe(PAGE));
    expect(screen.queryByRole("dialog", { name: "离开并放弃修改？" })).toBeNull();
  });
});
