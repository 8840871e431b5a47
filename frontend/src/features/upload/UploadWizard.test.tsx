import { act, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http, passthrough } from "msw";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Providers } from "@/app/Providers";
import { queueMessage } from "@/realtime";
import { syncSession } from "@/session/actions";
import { writeLogin } from "@/session/cookies";
import { startStore } from "@/test/render";
import { answer, type HeardCall, names, server } from "@/test/server";
import { GB, MB } from "@/transfer/rules";
import { letBlobsBeRead, MemoryStore } from "@/transfer/test/memoryStore";
import { sized } from "@/transfer/test/sampleFiles";
import type { CheckMessage } from "../check/log";
import { grant, uploadAnswers } from "./test/uploadAnswers";
import { UploadWizard } from "./UploadWizard";

letBlobsBeRead();

let objects: MemoryStore;
beforeEach(async () => {
  objects = await MemoryStore.start();
});
afterEach(() => objects.stop());

function open(more: Parameters<typeof answer>[0] = {}, place: "workbench" | "publish" = "workbench") {
  const heard = answer({
    ...uploadAnswers(objects),
    textAntispamScan: ({ form }) =>
      form.content === "违禁" ? { code: 60102, message: "含有不允许的词" } : {},
    update_model_file: {},
    model_release: { datas: "77" },
    getLabelCateListByCateType: { datas: [] },
    ...more,
  });
  server.use(http.all(`${objects.address}/*`, () => passthrough()));
  writeLogin("tok", "u1");
  const store = startStore();
  act(() => {
    store.dispatch(syncSession());
  });
  const router = createMemoryRouter(
    [
      { path: "/", element: <UploadWizard open place={place} onClose={() => undefined} /> },
      { path: "*", element: <p>别的页面</p> },
    ],
    { initialEntries: ["/"] },
  );
  render(
    <Providers store={store}>
      <RouterProvider router={router} />
    </Providers>,
  );
  const push = (seq: number, status: CheckMessage["status"], tips: string) =>
    act(() => {
      store.dispatch(
        queueMessage({
          type: "CHECK",
          id: "77",
          seq,
          status,
          tips,
          currentTime: "1700000000000",
          fileSize: 10,
          format: "obj",
          animation: false,
          modelNum: 1,
        }),
      );
    });
  return { heard, router, push, store, user: userEvent.setup({ applyAccept: false }) };
}

const CLIENT = "https://files.xuanlan.test/client.exe";
const input = async () => (await screen.findByLabelText("选择文件")) as HTMLInputElement;
const model = (name = "齿轮.obj") => new File(["o 齿轮"], name);
const last = (heard: HeardCall[], name: string) => heard.filter((call) => call.name === name).at(-1);

describe("upload wizard", () => {
  it("goes from the file to its check, to its name, to my uploads", async () => {
    const { heard, router, push, user } = open();
    await user.upload(await input(), model());
    expect(await screen.findByLabelText("体检日志")).toBeInTheDocument();
    const check = last(heard, "model_checking")?.form;
    expect(check).toMatchObject({
      userId: "u1",
      fileName: "齿轮.obj",
      fileSize: String(model().size),
      format: "obj",
      bucketName: "private",
      modelType: "1",
      origin: "0",
    });
    expect(check?.fileUrl).toMatch(/^private\/u\/u1\/\d{8}\/[0-9a-f]+\/齿轮\.obj$/);
    expect(check?.fileSource).toBeTruthy();
    expect(check?.sha256).toMatch(/^[0-9a-f]{64}$/);

    push(1, "Begin", "");
    push(2, "Normal", "读取几何");
    push(3, "Normal", "checking");
    push(2, "Normal", "读取几何");
    expect(screen.getAllByText("读取几何")).toHaveLength(1);
    expect(screen.queryByText("checking")).not.toBeInTheDocument();
    push(4, "Success", "模型状况良好");
    expect(await screen.findByText("模型状况良好")).toBeInTheDocument();

    await user.click(screen.getByRole("button", { name: "下一步：填写名称" }));
    const name = await screen.findByRole("textbox", { name: /模型名称/ });
    expect(name).toHaveValue("齿轮");
    await user.clear(name);
    expect(await screen.findByText("模型名称不能为空")).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "完成" }));
    expect(await screen.findByText("请先完善表单信息")).toBeInTheDocument();
    await user.type(name, "违禁");
    await user.click(screen.getByRole("button", { name: "完成" }));
    expect((await screen.findAllByText("模型名称:含有不允许的词")).length).toBeGreaterThan(0);
    await user.clear(name);
    await user.type(name, "大齿轮");
    await user.click(screen.getByRole("button", { name: "完成" }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/workbench/myUpload"));
    expect(last(heard, "model_release")?.form).toMatchObject({
      userId: "u1",
      fileId: "77",
      modelName: "大齿轮",
      modelType: "1",
      fileSource: check?.fileSource,
    });
  });

  it("hides the oblique tab in the publish centre and sends origin 1", async () => {
    const { heard, user } = open({}, "publish");
    await user.upload(await input(), model());
    await screen.findByLabelText("体检日志");
    expect(last(heard, "model_checking")?.form.origin).toBe("1");
    expect(screen.queryByRole("tab", { name: "倾斜摄影模型" })).not.toBeInTheDocument();
    expect(screen.getByRole("button", { name: "前往我的源文件" })).toBeInTheDocument();
  });

  it("leads from a finished upload to my uploads while the check goes on", async () => {
    const { router, user } = open();
    await user.upload(await input(), model());
    await screen.findByLabelText("体检日志");
    expect(screen.getByText("文件已保存，体检可在后台继续")).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "前往我的上传" }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/workbench/myUpload"));
  });

  it("ends at the source files when finished in the publish centre", async () => {
    const { router, push, user } = open({}, "publish");
    await user.upload(await input(), model());
    await screen.findByLabelText("体检日志");
    push(1, "Success", "模型状况良好");
    await user.click(await screen.findByRole("button", { name: "下一步：填写名称" }));
    await user.click(await screen.findByRole("button", { name: "完成" }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/publishCenter/mySourceFiles"));
  });

  it("says 上传失败 and suggests the desktop client when the store fails", async () => {
    objects.refuse = () => ({ status: 403, code: "AccessDenied" });
    const { heard, user } = open({ getLatestClientVersion: { datas: { fileUrl: CLIENT } } });
    await user.upload(await input(), model("丙.obj"));
    const dialog = within(await screen.findByRole("dialog", { name: "建议使用桌面客户端" }));
    expect(await dialog.findByRole("link", { name: "下载客户端" })).toHaveAttribute("href", CLIENT);
    await user.click(dialog.getByRole("button", { name: "关闭" }));
    await waitFor(() =>
      expect(screen.queryByRole("dialog", { name: "建议使用桌面客户端" })).not.toBeInTheDocument(),
    );
    expect(screen.getAllByText("上传失败").length).toBeGreaterThan(0);
    expect(names(heard)).not.toContain("model_checking");
    objects.refuse = () => undefined;
    await user.click(screen.getByRole("button", { name: "重试" }));
    expect(await screen.findByLabelText("体检日志")).toBeInTheDocument();
  });

  it("sends a model above 500 MB to the service, and one below to the limit", async () => {
    const { heard, user } = open();
    await user.upload(await input(), sized("大.obj", 500 * MB));
    expect((await screen.findAllByText("obj文件大小不得超过300MB")).length).toBeGreaterThan(0);
    expect(screen.queryByText(/请联系客服/)).not.toBeInTheDocument();
    await user.upload(await input(), sized("大.obj", 501 * MB));
    const dialog = await screen.findByRole("dialog", { name: "建议使用桌面客户端" });
    expect(dialog).toHaveTextContent("单个模型超过 500 MB，请联系客服");
    expect(names(heard)).not.toContain("getHuaweiParam");
  });

  it("leads who has met a limit of the own grade to the grade above", async () => {
    const member = { memberGradeName: "基础会员", memberStatus: 1 };
    const { store, user } = open({ queryInfo: { datas: member } });
    await user.upload(await input(), sized("大.obj", 301 * MB));
    await user.click(await screen.findByRole("button", { name: "升级会员" }));
    expect(store.getState().shop.purchase).toEqual({ open: true, grade: "advanced" });
  });

  it("leads who has no room left to the membership", async () => {
    const full = { code: 60106, message: "存储空间不足" };
    const { store, user } = open({ model_checking: full, queryInfo: { datas: {} } });
    await user.upload(await input(), model());
    expect(await screen.findByText("存储空间不足")).toBeInTheDocument();
    await user.click(await screen.findByRole("button", { name: "开通会员" }));
    expect(store.getState().shop.purchase).toEqual({ open: true, grade: "basic" });
  });

  it("suggests the desktop client for oblique photography above 5 GB", async () => {
    const { heard, user } = open({ getLatestClientVersion: { datas: { fileUrl: CLIENT } } });
    await user.click(await screen.findByRole("tab", { name: "倾斜摄影模型" }));
    await user.upload(await input(), sized("城区.zip", 5 * GB + 1));
    const dialog = await screen.findByRole("dialog", { name: "建议使用桌面客户端" });
    expect(dialog).toHaveTextContent("倾斜摄影压缩包超过 5 GB");
    expect(await within(dialog).findByRole("link", { name: "下载客户端" })).toHaveAttribute("href", CLIENT);
    expect(names(heard)).not.toContain("getHuaweiParam");
  });

  it("turns the words of an error into links and offers a retry", async () => {
    const { push, user } = open();
    await user.upload(await input(), model());
    await screen.findByLabelText("体检日志");
    push(1, "Error", "文件损坏，请查看支持的格式，或申诉、联系客服");
    expect(await screen.findByText("体检未通过")).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "申诉" })).toHaveAttribute("href", "/helpCenter?id=appeal");
    expect(screen.getByRole("link", { name: "联系客服" })).toHaveAttribute("href");
    await user.click(screen.getByRole("button", { name: "支持的格式" }));
    expect(await screen.findByRole("img", { name: /OBJ|obj/ })).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "重试", hidden: true })).toBeInTheDocument();
  });

  it("says 获取上传参数出错 when the parameters do not come, and uploads on retry", async () => {
    let broken = true;
    const { user } = open({
      getHuaweiParam: () => (broken ? { code: 60001, message: "服务繁忙" } : { datas: grant(objects) }),
    });
    await user.upload(await input(), model("甲.obj"));
    expect((await screen.findAllByText("获取上传参数出错")).length).toBeGreaterThan(0);
    broken = false;
    await user.click(screen.getByRole("button", { name: "重试" }));
    expect(await screen.findByLabelText("体检日志")).toBeInTheDocument();
  });

  it("says 体检接口访问失败 when the check cannot be reached", async () => {
    let down = true;
    const { heard, user } = open({ model_checking: () => (down ? "network error" : { datas: "77" }) });
    await user.upload(await input(), model("乙.obj"));
    expect(await screen.findByText("体检接口访问失败")).toBeInTheDocument();
    down = false;
    const parts = objects.received.length;
    await user.click(screen.getByRole("button", { name: "重试" }));
    expect(await screen.findByLabelText("体检日志")).toBeInTheDocument();
    // the object lies in the store already: only the check is asked for again
    expect(objects.received).toHaveLength(parts);
    expect(names(heard).filter((name) => name === "model_checking")).toHaveLength(2);
  });

  it("refuses files by the server's settings, in the exact words", async () => {
    const { heard, user } = open();
    await user.upload(await input(), model("说明.txt"));
    expect((await screen.findAllByText("格式不支持")).length).toBeGreaterThan(0);
    await user.upload(await input(), new File([], "空.obj"));
    expect((await screen.findAllByText("文件选择错误，请联系管理员")).length).toBeGreaterThan(0);
    await user.click(screen.getByRole("tab", { name: "倾斜摄影模型" }));
    await user.upload(await input(), model("齿轮.obj"));
    expect((await screen.findAllByText("文件格式不正确！仅支持.ZIP,.RAR文件")).length).toBeGreaterThan(0);
    expect(names(heard)).not.toContain("model_checking");
  });

  it("says 暂无配置 when the settings are empty", async () => {
    open({ getObjectModelFileUploadSettings: { datas: [] } });
    expect(await screen.findByText("暂无配置")).toBeInTheDocument();
  });
});
