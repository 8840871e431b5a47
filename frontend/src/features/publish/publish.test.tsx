import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { findings } from "@/test/axe";
import { maker, publishAnswers } from "@/test/publish";
import { answer } from "@/test/server";
import { frameAnswers, openSite } from "@/test/site";

it.each([
  ["/publishCenter/toBeReleased?isRelase=true", "true", "已发布模型"],
  ["/publishCenter/toBeReleased", "false", "待发布模型"],
])("%s asks for isRelase=%s (PB003, PB004)", async (address, isRelase, title) => {
  const heard = answer(
    publishAnswers([maker(isRelase === "true" ? { state: "listed", versionState: "ready" } : {})]),
  );
  openSite(address, { signedIn: true });
  expect(await screen.findByRole("heading", { level: 1, name: title })).toBeInTheDocument();
  expect(await screen.findByRole("link", { name: "行星齿轮组" })).toHaveAttribute(
    "href",
    "/publishCenter/details?listingId=l1",
  );
  const asked = heard.filter(({ name }) => name === "list").map(({ form }) => form.isRelase);
  expect(new Set(asked)).toEqual(new Set([isRelase]));
  expect(await findings()).toEqual([]);
});

it.each([
  ["lightweight", "选择一个可用的模型，点“轻量化”开始。"],
  ["convert", "选择一个可用的模型，点“转换”开始。"],
])("source files open for the service %s (PB002)", async (service, hint) => {
  answer({
    ...frameAnswers(),
    list: { datas: { totalCount: 0, results: [] } },
    cardList: { datas: { totalCount: 0, results: [] } },
  });
  openSite(`/publishCenter/mySourceFiles?serviceName=${service}`, { signedIn: true });
  expect(await screen.findByText(hint)).toBeInTheDocument();
});

it("hands in what is chosen and tells of each that was not taken", async () => {
  const heard = answer({
    ...publishAnswers([maker(), maker({}, { listingId: "l2", name: "球阀" })]),
    submit: {
      datas: {
        results: [
          { listingId: "l1", state: "making", message: "" },
          { listingId: "l2", state: "", message: "请选择分类" },
        ],
      },
    },
  });
  const { user } = openSite("/publishCenter/toBeReleased", { signedIn: true });
  await screen.findByRole("link", { name: "球阀" });
  await user.click(screen.getByRole("button", { name: "全选本页" }));
  expect(screen.getByText("已选 2 个")).toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "提交审核" }));
  const dialog = await screen.findByRole("dialog", { name: "1 个模型没有完成" });
  expect(within(dialog).getByRole("link", { name: "球阀" })).toBeInTheDocument();
  expect(within(dialog).getByText("请选择分类")).toBeInTheDocument();
  expect(heard.find(({ name }) => name === "submit")?.form.listingIds).toBe("l1,l2");
});

it("changes one term of many and leaves the others alone", async () => {
  const heard = answer(publishAnswers([maker()]));
  const { user } = openSite("/publishCenter/commDrawer?listingIds=l1", { signedIn: true });
  const drawer = await screen.findByRole("dialog", { name: "发布设置" });
  expect(await within(drawer).findByText(/选中的 1 个模型/)).toBeInTheDocument();
  expect(within(drawer).getByRole("button", { name: "保存" })).toBeDisabled();
  await user.type(await screen.findByLabelText("价格（元）"), "19.9");
  await user.click(screen.getByRole("button", { name: "保存" }));
  await waitFor(() => expect(heard.some(({ name }) => name === "saveMany")).toBe(true));
  const { form } = heard.find(({ name }) => name === "saveMany") ?? { form: {} };
  expect(form).toMatchObject({ listingIds: "l1", price: "1990" });
  expect(Object.keys(form)).not.toContain("license");
});

it("a form says what is missing, then sends what was changed and hands it in", async () => {
  const heard = answer(publishAnswers([maker()]));
  const { user } = openSite("/publishCenter/details?listingId=l1", { signedIn: true });
  await user.click(await screen.findByRole("button", { name: "保存并提交审核" }));
  for (const problem of ["请选择分类", "请填写一句话介绍", "请填写价格"])
    expect((await screen.findAllByText(problem)).length).toBeGreaterThan(0);
  expect(heard.some(({ name }) => name === "save" || name === "submit")).toBe(false);
  expect(await findings()).toEqual([]);
  await user.click(screen.getByRole("combobox", { name: "分类" }));
  await user.click(await screen.findByRole("option", { name: "机械零件 / 齿轮与传动" }));
  await user.type(screen.getByRole("textbox", { name: "一句话介绍" }), "十二齿");
  await user.type(screen.getByRole("textbox", { name: "价格" }), "12.3");
  await user.click(screen.getByRole("radio", { name: /AI 生成/ }));
  await user.click(screen.getByRole("button", { name: "保存并提交审核" }));
  await waitFor(() => expect(heard.some(({ name }) => name === "submit")).toBe(true));
  expect(heard.find(({ name }) => name === "save")?.form).toEqual(
    expect.objectContaining({
      listingId: "l1",
      revision: "7",
      categoryId: "c1001",
      intro: "十二齿",
      price: "1230",
      origin: "ai",
    }),
  );
  expect(heard.find(({ name }) => name === "save")?.form).not.toHaveProperty("name");
});

it("says of each model whether it is to be changed or was refused", async () => {
  const back = { state: "rejected", versionState: "rejected", reason: "分类不正确" };
  const news = { ...back, state: "listed", decision: "changes" };
  answer(
    publishAnswers([
      maker({ ...back, decision: "changes" }, { name: "球阀" }),
      maker({ ...back, decision: "refused" }, { name: "齿轮", listingId: "l2" }),
      maker(news, { name: "螺栓", listingId: "l3" }),
    ]),
  );
  openSite("/publishCenter/toBeReleased", { signedIn: true });
  const row = async (name: string) =>
    within((await screen.findByRole("link", { name })).closest("tr, li") as HTMLElement);
  expect((await row("球阀")).getByText("需要修改")).toBeInTheDocument();
  expect((await row("齿轮")).getByText("未通过")).toBeInTheDocument();
  expect((await row("螺栓")).getByText("新版本需要修改")).toBeInTheDocument();
});

it("tells the operator's reason where it is mended", async () => {
  answer(
    publishAnswers(
      [],
      maker({ state: "rejected", versionState: "rejected", decision: "refused", reason: "分类不正确" }),
    ),
  );
  openSite("/publishCenter/details?listingId=l1", { signedIn: true });
  expect(await screen.findByText("未通过审核：分类不正确。修改后可以重新提交。")).toBeInTheDocument();
  expect(screen.getByRole("textbox", { name: "模型名称" })).toBeEnabled();
});

it("keeps texts under review as they are, and lets the price be changed", async () => {
  answer(publishAnswers([], maker({ state: "listed", versionState: "submitted" }, { price: 100 })));
  openSite("/publishCenter/details?listingId=l1", { signedIn: true });
  expect(await screen.findByText(/新版本审核中/)).toBeInTheDocument();
  expect(screen.getByRole("textbox", { name: "模型名称" })).toBeDisabled();
  expect(screen.getByRole("textbox", { name: "价格" })).toBeEnabled();
  expect(screen.queryByRole("button", { name: "保存并提交审核" })).toBeNull();
});

it("a deleted draft is not asked for again: one message, of success", async () => {
  let deleted = false;
  const draft = maker();
  const heard = answer({
    ...publishAnswers([draft]),
    detail: () => (deleted ? { code: 60300, message: "模型不存在" } : { datas: draft }),
    delete: () => {
      deleted = true;
      return { datas: null };
    },
  });
  const { user, at } = openSite("/publishCenter/details?listingId=l1", { signedIn: true });
  await user.click(await screen.findByRole("button", { name: "删除草稿" }));
  await user.click(await screen.findByRole("button", { name: "删除" }));
  expect(await screen.findByText("草稿已删除")).toBeInTheDocument();
  await waitFor(() => expect(at()).toBe("/publishCenter/toBeReleased"));
  await screen.findByRole("heading", { level: 1, name: "待发布模型" });
  expect(screen.queryByText("模型不存在")).toBeNull();
  const after = (name: string) =>
    heard.slice(heard.findIndex((call) => call.name === "delete") + 1).filter((call) => call.name === name);
  await waitFor(() => expect(after("list")).not.toEqual([]));
  expect(after("detail")).toEqual([]);
});
