import { act, render, screen, waitFor, within } from "@testing-library/react";
import { http, passthrough } from "msw";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Providers } from "@/app/Providers";
import { queueMessage } from "@/realtime";
import { syncSession } from "@/session/actions";
import { writeLogin } from "@/session/cookies";
import { deferred } from "@/test/deferred";
import { startStore } from "@/test/render";
import { answer, type HeardCall, names, server } from "@/test/server";
import { startUser } from "@/test/user";
import { fingerprint } from "@/transfer/fingerprint";
import { type UploadRecord, UploadRecords } from "@/transfer/records";
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
          currentTime: 1_700_000_000_000,
          fileSize: 10,
          format: "obj",
          animation: false,
          modelNum: 1,
        }),
      );
    });
  return { heard, router, push, store, user: startUser({ applyAccept: false }) };
}

const CLIENT = "https://files.xuanlan.test/client.exe";
const input = async () => (await screen.findByLabelText("选择文件")) as HTMLInputElement;
const model = (name = "齿轮.obj") => new File(["o 齿轮"], name);
const last = (heard: HeardCall[], name: string) => heard.filter((call) => call.name === name).at(-1);

describe("upload wizard", () => {
  it("has a drop zone for each kind of model, and a picture of the formats (UP001, UP003)", async () => {
    const { user } = open();
    const tabs = await screen.findAllByRole("tab");
    expect(tabs.map((tab) => tab.textContent)).toEqual(["单体模型", "倾斜摄影模型"]);
    expect(await screen.findByText(/^支持 OBJ、FBX、ZIP、RAR，/)).toBeVisible();
    expect(screen.getByText("把文件拖到这里，或点击选择")).toBeVisible();
    await user.click(tabs[1] as HTMLElement);
    expect(await screen.findByText(/^支持 ZIP、RAR，/)).toBeVisible();
    expect(screen.getByText("把文件拖到这里，或点击选择")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "支持的格式" }));
    const formats = within(await screen.findByRole("dialog", { name: "支持的格式" }));
    expect(formats.getByRole("img", { name: /OBJ|obj/ })).toBeVisible();
  });

  // UP004, UP005, UP025, UP047 to UP049, CK001 to CK004, CK012, ST003, ST007
  it("goes from the file to its check, to its name, to my uploads (UP008: checking, checked)", async () => {
    const { heard, router, push, user } = open();
    expect(screen.queryByLabelText("体检日志")).not.toBeInTheDocument();
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
    // All requests to the store were signed with the key sealed in getHuaweiParam.
    expect(new Set(objects.keysSeen)).toEqual(new Set(["AK"]));

    expect(screen.getByText("等待体检")).toBeInTheDocument();
    push(1, "Begin", "");
    expect(screen.getByText("正在体检")).toBeInTheDocument();
    push(2, "Normal", "读取几何");
    push(3, "Normal", "checking");
    push(2, "Normal", "读取几何");
    expect(screen.getAllByText("读取几何")).toHaveLength(1);
    expect(screen.queryByText("checking")).not.toBeInTheDocument();
    push(4, "Success", "模型状况良好");
    expect(await screen.findByText("模型状况良好。")).toBeInTheDocument();
    expect(screen.getByText("体检完成")).toBeInTheDocument();

    await user.click(screen.getByRole("button", { name: "下一步：填写名称" }));
    const name = await screen.findByRole("textbox", { name: /模型名称/ });
    expect(name).toHaveValue("齿轮");
    await user.clear(name);
    expect(await screen.findByText("模型名称不能为空")).toBeInTheDocument(); // UP023
    await user.click(screen.getByRole("button", { name: "完成" }));
    expect(await screen.findByText("请先完善表单信息")).toBeInTheDocument(); // UP028
    await user.type(name, "一二三四五六七八九十一二三四五六");
    expect(await screen.findByText("长度在 1 到 15 个字符")).toBeInTheDocument(); // UP024
    await user.clear(name);
    await user.type(name, "违禁");
    await user.click(screen.getByRole("button", { name: "完成" }));
    expect((await screen.findAllByText("模型名称:含有不允许的词")).length).toBeGreaterThan(0); // UP027
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

  it("shows the checked model to turn, and leads to it without a name", async () => {
    const { heard, push, user } = open({
      detail: {
        datas: { fileId: "77", fileName: "齿轮.obj", proxyUrl: "/small.glb", previewUrl: "/whole.glb" },
      },
    });
    await user.upload(await input(), model());
    await screen.findByLabelText("体检日志");
    expect(names(heard)).not.toContain("detail");
    push(1, "Success", "模型状况良好");
    expect(await screen.findByRole("application", { name: "三维预览：齿轮.obj" })).toBeInTheDocument();
    expect(screen.getByLabelText("体检日志")).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "查看模型与报告" })).toHaveAttribute(
      "href",
      "/workbench/myUpload/sourceFile?fileId=77",
    );
  });

  it("tells that the checked model was not read, and reads it again", async () => {
    let broken = true;
    const file = { fileId: "77", fileName: "齿轮.obj", proxyUrl: "/small.glb" };
    const { push, user } = open({
      detail: () => (broken ? { code: 500, message: "服务器繁忙" } : { datas: file }),
    });
    await user.upload(await input(), model());
    await screen.findByLabelText("体检日志");
    push(1, "Success", "模型状况良好");
    expect(await screen.findByText("预览没有读取成功。")).toBeInTheDocument();
    broken = false;
    await user.click(screen.getByRole("button", { name: "重试" }));
    expect(await screen.findByRole("application", { name: "三维预览：齿轮.obj" })).toBeInTheDocument();
    expect(screen.queryByText("预览没有读取成功。")).not.toBeInTheDocument();
  });

  it("hides the oblique tab in the publish centre and sends origin 1 (PB001, UP002)", async () => {
    const { heard, user } = open({}, "publish");
    await user.upload(await input(), model());
    await screen.findByLabelText("体检日志");
    expect(last(heard, "model_checking")?.form.origin).toBe("1");
    expect(screen.queryByRole("tab", { name: "倾斜摄影模型" })).not.toBeInTheDocument();
    expect(screen.getByRole("button", { name: "前往我的源文件" })).toBeInTheDocument();
  });

  it("leads from a finished upload to my uploads while the check goes on (UP006)", async () => {
    const { router, user } = open();
    await user.upload(await input(), model());
    await screen.findByLabelText("体检日志");
    expect(screen.getByText("文件已保存，体检可在后台继续")).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "前往我的上传" }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/workbench/myUpload"));
  });

  it("ends at the source files when finished in the publish centre (PB005, UP050)", async () => {
    const { router, push, user } = open({}, "publish");
    await user.upload(await input(), model());
    await screen.findByLabelText("体检日志");
    push(1, "Success", "模型状况良好");
    await user.click(await screen.findByRole("button", { name: "下一步：填写名称" }));
    await user.click(await screen.findByRole("button", { name: "完成" }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/publishCenter/mySourceFiles"));
  });

  it("says 上传失败 and suggests the desktop client when the store fails, and goes on by a retry (ST008, UP009, UP043, UP046)", async () => {
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

  it("names the states 上传中断 and 上传完成 (UP008)", async () => {
    objects.refuse = () => ({ status: 403, code: "AccessDenied" });
    let taken = false;
    const { user } = open({
      model_checking: () => (taken ? { datas: "77" } : { code: 60105, message: "请稍后再试" }),
    });
    await user.upload(await input(), model("丁.obj"));
    expect(await screen.findByText("上传中断")).toBeInTheDocument();
    expect(screen.queryByText("上传完成")).not.toBeInTheDocument();
    const dialog = within(await screen.findByRole("dialog", { name: "建议使用桌面客户端" }));
    await user.click(dialog.getByRole("button", { name: "关闭" }));
    await waitFor(() =>
      expect(screen.queryByRole("dialog", { name: "建议使用桌面客户端" })).not.toBeInTheDocument(),
    );
    objects.refuse = () => undefined;
    await user.click(await screen.findByRole("button", { name: "重试" }));
    // The object is stored, but its check has not started.
    expect(await screen.findByText("上传完成")).toBeInTheDocument();
    expect(screen.queryByText("上传中断")).not.toBeInTheDocument();
    expect(await screen.findByText("请稍后再试")).toBeInTheDocument();
    taken = true;
    await user.click(screen.getByRole("button", { name: "重试" }));
    expect(await screen.findByLabelText("体检日志")).toBeInTheDocument();
  });

  it("says why the store refuses, and leads who has no room left to the membership", async () => {
    objects.refuse = () => ({ status: 403, code: "QuotaExceeded" });
    const { store, user } = open({ queryInfo: { datas: {} } });
    await user.upload(await input(), model("戊.obj"));
    const told = await screen.findAllByText("上传失败：存储空间不足，请先删除不用的文件");
    expect(told.length).toBeGreaterThan(0);
    expect(screen.queryByRole("dialog", { name: "建议使用桌面客户端" })).not.toBeInTheDocument();
    await user.click(await screen.findByRole("button", { name: "开通会员" }));
    expect(store.getState().shop.purchase).toEqual({ open: true, grade: "basic" });
  });

  it("says that too many files wait for their check-up", async () => {
    objects.refuse = () => ({ status: 403, code: "TooManyObjects" });
    const { user } = open({ queryInfo: { datas: {} } });
    await user.upload(await input(), model("己.obj"));
    const told = await screen.findAllByText(
      "上传失败：还没有体检的文件太多，请先完成已上传文件的体检，或一天后再试",
    );
    expect(told.length).toBeGreaterThan(0);
    expect(screen.queryByRole("dialog", { name: "建议使用桌面客户端" })).not.toBeInTheDocument();
  });

  it("sends a model above 500 MB to the service, and one below to the limit (UP014, UP016, UP046, AM049)", async () => {
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
    const member = { memberRank: 1, memberGradeName: "基础会员", memberStatus: 1 };
    const { store, user } = open({ queryInfo: { datas: member } });
    await user.upload(await input(), sized("大.obj", 301 * MB));
    await user.click(await screen.findByRole("button", { name: "升级会员" }));
    expect(store.getState().shop.purchase).toEqual({ open: true, grade: "advanced" });
  });

  it("leads who has no room left to the membership (MB031)", async () => {
    const full = { code: 60106, message: "存储空间不足" };
    const { store, user } = open({ model_checking: full, queryInfo: { datas: {} } });
    await user.upload(await input(), model());
    expect(await screen.findByText("存储空间不足")).toBeInTheDocument();
    await user.click(await screen.findByRole("button", { name: "开通会员" }));
    expect(store.getState().shop.purchase).toEqual({ open: true, grade: "basic" });
  });

  it("suggests the desktop client for oblique photography above 5 GB (UP020)", async () => {
    const { heard, user } = open({ getLatestClientVersion: { datas: { fileUrl: CLIENT } } });
    await user.click(await screen.findByRole("tab", { name: "倾斜摄影模型" }));
    await user.upload(await input(), sized("城区.zip", 5 * GB + 1));
    const dialog = await screen.findByRole("dialog", { name: "建议使用桌面客户端" });
    expect(dialog).toHaveTextContent("倾斜摄影压缩包超过 5 GB");
    expect(await within(dialog).findByRole("link", { name: "下载客户端" })).toHaveAttribute("href", CLIENT);
    expect(names(heard)).not.toContain("getHuaweiParam");
  });

  it("tells the client's version, what is new and its checksum, which can be copied", async () => {
    const sha256 = "0a".repeat(32);
    const { user } = open({
      getLatestClientVersion: {
        datas: { fileUrl: CLIENT, version: "1.2", sha256, notes: "断点续传更稳" },
      },
    });
    await user.click(await screen.findByRole("tab", { name: "倾斜摄影模型" }));
    await user.upload(await input(), sized("城区.zip", 5 * GB + 1));
    const dialog = within(await screen.findByRole("dialog", { name: "建议使用桌面客户端" }));
    expect(await dialog.findByText("1.2")).toBeInTheDocument();
    expect(dialog.getByRole("region", { name: "更新说明" })).toHaveTextContent("断点续传更稳");
    await user.click(dialog.getByRole("button", { name: "复制 SHA-256" }));
    expect(await navigator.clipboard.readText()).toBe(sha256);
  });

  it("says nothing of the client that is not stated", async () => {
    const { user } = open({
      getLatestClientVersion: { datas: { fileUrl: CLIENT, version: "1.2", sha256: "", notes: "" } },
    });
    await user.click(await screen.findByRole("tab", { name: "倾斜摄影模型" }));
    await user.upload(await input(), sized("城区.zip", 5 * GB + 1));
    const dialog = within(await screen.findByRole("dialog", { name: "建议使用桌面客户端" }));
    expect(await dialog.findByText("1.2")).toBeInTheDocument();
    for (const absent of ["更新说明", "SHA-256"]) expect(dialog.queryByText(absent)).not.toBeInTheDocument();
  });

  it("turns the words of an error into links and offers a retry (CK007 to CK010)", async () => {
    const { push, user } = open();
    await user.upload(await input(), model());
    await screen.findByLabelText("体检日志");
    push(1, "Error", "文件损坏，请查看支持的格式，或申诉、联系客服");
    expect(await screen.findByText("体检未通过")).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "申诉" })).toHaveAttribute("href", "/helpCenter?id=appeal");
    expect(screen.getByRole("link", { name: "联系客服" })).toHaveAttribute(
      "href",
      "/applicationCenter/aboutUs#contactUs",
    );
    await user.click(screen.getByRole("button", { name: "支持的格式" }));
    expect(await screen.findByRole("img", { name: /OBJ|obj/ })).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "重试", hidden: true })).toBeInTheDocument();
  });

  it("says 获取上传参数出错 when the parameters do not come, and uploads on retry (UP042)", async () => {
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

  it("says 体检接口访问失败 when the check cannot be reached (CK017)", async () => {
    let down = true;
    const { heard, user } = open({ model_checking: () => (down ? "network error" : { datas: "77" }) });
    await user.upload(await input(), model("乙.obj"));
    expect(await screen.findByText("体检接口访问失败")).toBeInTheDocument();
    down = false;
    const parts = objects.received.length;
    await user.click(screen.getByRole("button", { name: "重试" }));
    expect(await screen.findByLabelText("体检日志")).toBeInTheDocument();
    // the object is already stored: only the check is requested again
    expect(objects.received).toHaveLength(parts);
    expect(names(heard).filter((name) => name === "model_checking")).toHaveLength(2);
  });

  it("takes the formats of the server's settings, and no others (UP011)", async () => {
    const { user } = open({
      getObjectModelFileUploadSettings: { datas: [{ modelFormat: "igs", maxSize: 300 }] },
    });
    await user.upload(await input(), model());
    expect((await screen.findAllByText("格式不支持")).length).toBeGreaterThan(0);
    await user.upload(await input(), model("轴.igs"));
    expect(await screen.findByLabelText("体检日志")).toBeInTheDocument();
  });

  it("refuses files by the server's settings, in the exact words (UP010, UP022, UP045, AM053, AM058)", async () => {
    const { heard, user } = open();
    await user.upload(await input(), model("说明.txt"));
    expect((await screen.findAllByText("格式不支持")).length).toBeGreaterThan(0);
    expect(screen.queryByText(/导出/)).not.toBeInTheDocument();
    await user.upload(await input(), model("房屋.IFC"));
    expect(await screen.findByText(/^IFC 可以在 Revit.*导出 FBX、GLB 或 STEP 后上传。$/)).toBeInTheDocument();
    await user.upload(await input(), new File([], "空.obj"));
    expect((await screen.findAllByText("文件选择错误，请联系管理员")).length).toBeGreaterThan(0);
    await user.click(screen.getByRole("tab", { name: "倾斜摄影模型" }));
    await user.upload(await input(), model("齿轮.obj"));
    expect((await screen.findAllByText("文件格式不正确！仅支持.ZIP,.RAR文件")).length).toBeGreaterThan(0);
    expect(names(heard)).not.toContain("model_checking");
  });

  it("says 暂无配置 when the settings are empty (UP044)", async () => {
    open({ getObjectModelFileUploadSettings: { datas: [] } });
    expect(await screen.findByText("暂无配置")).toBeInTheDocument();
  });

  it("opens on what a reload left unfinished, with its own kind of model, and goes on with it", async () => {
    const zip = new File([new Uint8Array(6 * MB)], "城区.zip", { lastModified: 1 });
    const record: UploadRecord = {
      id: "u/u1/20261101/r/城区.zip",
      userId: "u1",
      bucket: "private",
      key: "u/u1/20261101/r/城区.zip",
      uploadId: "gone",
      file: await fingerprint(zip),
      modelType: "scene",
      fileSource: "web",
      origin: "0",
      startedAt: Date.now(),
      confirmed: 5_242_880,
    };
    new UploadRecords("u1").put(record);
    const { heard, user } = open();
    const left = within(await screen.findByRole("region", { name: "未完成的上传" }));
    expect(left.getByText("上次的上传没有完成")).toBeInTheDocument();
    expect(left.getByText(/已上传 83%/)).toBeInTheDocument();
    expect(screen.queryByLabelText("选择文件")).not.toBeInTheDocument();
    await user.upload(left.getByLabelText("选择 城区.zip 续传"), zip);
    await screen.findByLabelText("体检日志");
    expect(last(heard, "model_checking")?.form).toMatchObject({ modelType: "2", fileName: "城区.zip" });
  });

  it("leaves the way open to another file beside an unfinished one", async () => {
    const file = await fingerprint(model("旧.obj"));
    new UploadRecords("u1").put({
      ...{ id: "k", userId: "u1", bucket: "private", key: "k", uploadId: "x", file },
      ...{ modelType: "object", fileSource: "web", origin: "0", startedAt: Date.now(), confirmed: 1 },
    });
    const { user } = open();
    await user.click(await screen.findByRole("button", { name: "上传其他文件" }));
    await user.upload(await input(), model());
    expect(await screen.findByLabelText("体检日志")).toBeInTheDocument();
  });

  it("says 网络已断开，恢复后自动继续 while the line is broken, and goes on by itself (UP008: uploading)", async () => {
    const { user } = open();
    const release = deferred();
    objects.hold = () => release.promise;
    await user.upload(await input(), model());
    expect(await screen.findByText("正在上传")).toBeInTheDocument();
    act(() => {
      window.dispatchEvent(new Event("offline"));
    });
    expect(screen.getByText("网络已断开，恢复后自动继续")).toBeInTheDocument();
    expect(screen.queryByText(/\/秒/)).not.toBeInTheDocument();
    objects.cut = true;
    release.resolve();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(screen.getByText("网络已断开，恢复后自动继续")).toBeInTheDocument();
    objects.cut = false;
    act(() => {
      window.dispatchEvent(new Event("online"));
    });
    expect(await screen.findByLabelText("体检日志")).toBeInTheDocument();
  });
});
