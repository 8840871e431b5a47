import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { grant } from "@/features/upload/test/uploadAnswers";
import AccountManagementPage from "@/pages/account/accountManagement";
import { syncSession } from "@/session";
import { writeLogin } from "@/session/cookies";
import { renderPage } from "@/test/render";
import { type Answer, answer, type HeardCall } from "@/test/server";
import { frameAnswers } from "@/test/site";
import { standIn } from "@/test/standIn";
import { MemoryStore } from "@/transfer/test/memoryStore";

const security = {
  phone: "138****0001",
  email: null as string | null,
  emailVerified: false,
  hasPassword: true,
  secondFactor: false,
  recoveryCodesLeft: 0,
  confirmedUntil: 9_999_999_999_999,
  confirmMethods: ["password", "sms"],
  interest: "print",
  registerPurpose: "work",
  mailAvailable: true,
};

const session = (id: string, changes: object = {}) => ({
  id,
  kind: "desktop",
  method: "password",
  device: "Chrome · Windows",
  remoteAddr: "203.0.113.7",
  firstAt: 1_763_800_000_000,
  lastSeenAt: 1_763_810_000_000,
  expiresAt: 1_764_000_000_000,
  current: false,
  ...changes,
});

type Answers = Record<string, Answer | ((call: HeardCall) => Answer)>;

function open(changes: Answers = {}, kept: Partial<typeof security> = {}) {
  writeLogin("tok", "u1");
  const calls = answer({
    getMyThirdPartyAccount: { datas: [] },
    ...frameAnswers(),
    accountSecurity: { datas: { ...security, ...kept } },
    list: {
      datas: {
        results: [
          session("s1", { current: true }),
          session("s2", { device: "微信 · iPhone", kind: "mobile" }),
        ],
      },
    },
    signIns: {
      datas: {
        totalCount: 1,
        results: [
          {
            at: 1_763_800_000_000,
            method: "password",
            outcome: "wrongPassword",
            kind: "desktop",
            device: "Firefox · Linux",
            remoteAddr: "198.51.100.9",
            newDevice: true,
          },
        ],
      },
    },
    ...changes,
  });
  const page = renderPage(<AccountManagementPage />);
  page.store.dispatch(syncSession());
  const sent = (name: string) => calls.filter((call) => call.name === name).map(({ form }) => form);
  return { ...page, calls, sent };
}

const panel = (name: string) => screen.findByRole("region", { name });

describe("profile", () => {
  it("sends what was changed alone, and tells what was replaced (AM084)", async () => {
    const { user, sent, store } = open({
      modifyUserInfo: {
        datas: {
          avatar: null,
          nickname: "云端旅人",
          introduce: null,
          username: "lin_01",
          tips: [{ field: "nickname", code: 60102, message: "昵称含有违规内容，已替换为“云端旅人”" }],
        },
      },
    });
    const nickname = await screen.findByLabelText("昵称");
    await user.clear(nickname);
    await user.click(screen.getByRole("button", { name: "保存资料" }));
    expect(await screen.findByText("请输入昵称")).toBeVisible();
    await user.type(nickname, "违禁词");
    await user.type(screen.getByLabelText("用户名"), "1x");
    await user.click(screen.getByRole("button", { name: "保存资料" }));
    expect(await screen.findByText("以字母开头，4~20 位字母、数字或下划线")).toBeVisible();
    await user.clear(screen.getByLabelText("用户名"));
    await user.type(screen.getByLabelText("用户名"), "lin_01");
    await user.click(screen.getByRole("button", { name: "保存资料" }));
    expect(await screen.findByText("昵称含有违规内容，已替换为“云端旅人”")).toBeVisible();
    expect(sent("modifyUserInfo")[0]).toMatchObject({ nickname: "违禁词", username: "lin_01" });
    expect(sent("modifyUserInfo")[0]).not.toHaveProperty("introduce");
    expect(store.getState().session.nickname).toBe("云端旅人");
  });

  it("changes interest and purpose afterwards (AM088)", async () => {
    const { user, sent } = open({ setInterestAndRegisterPurpose: {} });
    expect(await screen.findByText("3D 打印 · 工作需要")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "修改兴趣与目的" }));
    expect(screen.getByRole("checkbox", { name: "3D 打印" })).toBeChecked();
    await user.click(screen.getByRole("checkbox", { name: "游戏" }));
    await user.click(screen.getByRole("button", { name: "保存" }));
    await waitFor(() => expect(sent("setInterestAndRegisterPurpose")).toHaveLength(1));
    expect(sent("setInterestAndRegisterPurpose")[0]).toMatchObject({
      interest: "game,print",
      registerPurpose: "work",
    });
  });
});

describe("avatar", () => {
  // jsdom cannot draw: stubs a 4 × 2 picture and a canvas that returns some bytes.
  beforeEach(() => {
    standIn(globalThis, "createImageBitmap", (async (file: File) => {
      if (file.name.startsWith("broken")) throw new Error("no picture");
      return { width: 4, height: 2 } as ImageBitmap;
    }) as typeof createImageBitmap);
    standIn(HTMLCanvasElement.prototype, "getContext", (() => null) as never);
    standIn(HTMLCanvasElement.prototype, "toBlob", (done) =>
      done(new Blob(["jpeg"], { type: "image/jpeg" })),
    );
  });
  const choose = async (user: ReturnType<typeof open>["user"], file: File) => {
    const input = await screen.findByLabelText("头像图片");
    input.removeAttribute("accept");
    await user.upload(input, file);
  };

  it("is refused before it is sent (UP030, UP031)", async () => {
    const { user, sent } = open();
    await choose(user, new File(["<svg/>"], "a.svg"));
    expect(await screen.findByText("图片格式不正确！仅支持jpg,jpeg,png,JPEG,BMP,GIF,WEBP文件")).toBeVisible();
    const large = new File(["x"], "a.png");
    Object.defineProperty(large, "size", { value: 51 * 1_048_576 });
    await choose(user, large);
    expect(await screen.findByText("单个文件不能超过50M")).toBeVisible(); // AM057
    await choose(user, new File(["x"], "broken.png"));
    expect(await screen.findByText("图片无法读取，请重新选择")).toBeVisible();
    expect(sent("modifyUserInfo")).toEqual([]);
  });

  it("is cropped, sent to our store and named by its place there; a refused one becomes the default (AM085)", async () => {
    const objects = await MemoryStore.start();
    onTestFinished(() => objects.stop());
    const { user, sent } = open({
      getHuaweiParam: () => ({ datas: grant(objects) }),
      modifyUserInfo: {
        datas: {
          avatar: null,
          nickname: "山水",
          introduce: null,
          username: null,
          tips: [{ field: "avatar", code: 60103, message: "头像未通过审核，已使用默认头像" }],
        },
      },
    });
    await choose(user, new File(["x"], "a.png"));
    const dialog = await screen.findByRole("dialog", { name: "裁剪头像" });
    within(dialog).getByRole("application").focus();
    await user.keyboard("{ArrowRight}+");
    expect(within(dialog).getByRole("slider")).toHaveAttribute("aria-valuenow", "1.1");
    await user.click(within(dialog).getByRole("button", { name: "保存头像" }));
    expect(await screen.findByText("头像未通过审核，已使用默认头像")).toBeVisible();
    const [key] = [...objects.objects.keys()];
    expect(sent("modifyUserInfo").map(({ avatar }) => avatar)).toEqual([`private/${key}`]);
    expect(objects.objects.get(key ?? "")?.toString()).toBe("jpeg");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });
});

describe("ways in", () => {
  it("changes the password with the old one", async () => {
    const { user, sent } = open({ modifyUserPassword: {} });
    await user.click(await screen.findByRole("button", { name: "修改密码" }));
    await user.type(screen.getByLabelText("原密码"), "secret1");
    await user.type(screen.getByLabelText("新密码"), "secret1");
    await user.type(screen.getByLabelText("确认密码"), "secret2");
    await user.click(screen.getByRole("button", { name: "确认修改" }));
    expect(await screen.findByText("新密码不能与原密码相同")).toBeVisible();
    expect(screen.getByText("两次输入密码不一致!")).toBeVisible();
    await user.clear(screen.getByLabelText("新密码"));
    await user.type(screen.getByLabelText("新密码"), "secret2{Enter}");
    expect(await screen.findByText("修改成功")).toBeVisible();
    expect(sent("modifyUserPassword")[0]).toMatchObject({ oldPassword: "secret1", password: "secret2" });
  });

  it("sets a first password without an old one", async () => {
    const { user, sent } = open({ modifyUserPassword: {} }, { hasPassword: false });
    await user.click(await screen.findByRole("button", { name: "设置密码" }));
    expect(screen.queryByLabelText("原密码")).toBeNull();
    await user.type(screen.getByLabelText("新密码"), "secret2");
    await user.type(screen.getByLabelText("确认密码"), "secret2{Enter}");
    expect(await screen.findByText("修改成功")).toBeVisible();
    expect(sent("modifyUserPassword")[0]).not.toHaveProperty("oldPassword");
  });

  it("takes another phone number that nobody has, by a code of its own purpose", async () => {
    const { user, sent } = open({
      userIsExist: ({ form }) => ({ datas: form.username !== "13800138001" }),
      getAliyunAcs: { datas: 100 },
      sendSms: { datas: "key-1" },
      modifyPhone: {},
    });
    await user.click(await screen.findByRole("button", { name: "更换手机号" }));
    const phone = screen.getByLabelText("手机号");
    await user.type(phone, "13800138001");
    await user.click(screen.getByRole("button", { name: "获取验证码" }));
    expect(await screen.findByText("手机号码已存在")).toBeVisible();
    await user.clear(phone);
    await user.type(phone, "13800138002");
    await user.click(screen.getByRole("button", { name: "获取验证码" }));
    expect(await screen.findByText("发送成功")).toBeVisible();
    await user.type(screen.getByLabelText("验证码"), "123456{Enter}");
    expect(await screen.findByText("修改成功")).toBeVisible();
    expect(sent("sendSms")[0]).toMatchObject({ phone: "13800138002", type: "bindPhone" });
    expect(sent("modifyPhone")[0]).toMatchObject({
      phone: "13800138002",
      verifycode: "123456",
      smsKey: "key-1",
    });
  });

  it("binds an address by the code that reached it; without mail nothing is offered", async () => {
    const { user, sent } = open({ sendMailCode: { datas: "mail-1" }, bindEmail: {} });
    await user.click(await screen.findByRole("button", { name: "绑定邮箱" }));
    await user.type(screen.getByLabelText("邮箱"), "nobody");
    await user.click(screen.getByRole("button", { name: "获取验证码" }));
    expect(await screen.findByText("请输入正确的邮箱")).toBeVisible();
    expect(sent("sendMailCode")).toEqual([]);
    await user.type(screen.getByLabelText("邮箱"), "@b.cn");
    await user.click(screen.getByRole("button", { name: "获取验证码" }));
    expect(await screen.findByText("验证码已发送到邮箱")).toBeVisible();
    await user.type(screen.getByLabelText("验证码"), "123456{Enter}");
    expect(await screen.findByText("修改成功")).toBeVisible();
    expect(sent("bindEmail")[0]).toMatchObject({
      email: "nobody@b.cn",
      verifycode: "123456",
      mailKey: "mail-1",
    });
  });

  it("turns the second factor on with the app's first code, and shows the recovery codes once", async () => {
    const { user, sent } = open({
      begin: { datas: { secret: "JBSWY3DPEHPK3PXP", uri: "otpauth://totp/x?secret=JBSWY3DPEHPK3PXP" } },
      confirm: ({ form }) =>
        form.verifycode === "123456"
          ? { datas: { codes: ["AAAA-1111", "BBBB-2222"] } }
          : { code: 60206, message: "动态验证码不正确" },
    });
    const ways = await panel("登录与安全");
    await user.click(await within(ways).findByRole("button", { name: "开启" }));
    const dialog = await screen.findByRole("dialog", { name: "开启两步验证" });
    expect(within(dialog).getByText("JBSWY3DPEHPK3PXP")).toBeVisible();
    await user.type(within(dialog).getByLabelText("动态验证码"), "000000{Enter}");
    expect((await screen.findAllByText("动态验证码不正确"))[0]).toBeVisible();
    await user.clear(within(dialog).getByLabelText("动态验证码"));
    await user.type(within(dialog).getByLabelText("动态验证码"), "123456{Enter}");
    const codes = await screen.findByRole("dialog", { name: "保存恢复码" });
    expect(
      within(codes)
        .getAllByRole("listitem")
        .map((item) => item.textContent),
    ).toEqual(["AAAA-1111", "BBBB-2222"]);
    // Neither Escape nor a click outside may lose them.
    await user.keyboard("{Escape}");
    await user.click(within(codes).getByRole("button", { name: "我已保存" }));
    await waitFor(() => expect(screen.queryByText("AAAA-1111")).toBeNull());
    expect(sent("confirm")).toHaveLength(2);
  });

  it("turns it off again, and makes new codes", async () => {
    const { user, sent } = open(
      { remove: {}, recoveryCodes: { datas: { codes: ["CCCC-3333"] } } },
      { secondFactor: true, recoveryCodesLeft: 2 },
    );
    expect(await screen.findByText("还剩 2 个")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "重新生成" }));
    const asked = screen.getByRole("dialog", { name: "重新生成恢复码？" });
    await user.click(within(asked).getByRole("button", { name: "重新生成" }));
    expect(await screen.findByText("CCCC-3333")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "我已保存" }));
    await user.click(await screen.findByRole("button", { name: "关闭" }));
    const question = await screen.findByRole("dialog", { name: "关闭两步验证？" });
    await user.click(within(question).getByRole("button", { name: "关闭" }));
    expect(await screen.findByText("两步验证已关闭")).toBeVisible();
    expect(sent("remove")).toHaveLength(1);
  });
});

describe("devices and sign-ins", () => {
  it("lists them, and ends one or all others", async () => {
    const { user, sent } = open({ end: { datas: { ended: 1 } }, endOthers: { datas: { ended: 1 } } });
    const devices = await panel("登录设备");
    const rows = await within(devices).findAllByRole("listitem");
    expect(rows.map((row) => within(row).queryByText("本机") !== null)).toEqual([true, false]);
    await user.click(within(devices).getByRole("button", { name: "退出 微信 · iPhone" }));
    await user.click(screen.getByRole("button", { name: "退出登录" }));
    expect(await screen.findByText("该设备已退出登录")).toBeVisible();
    expect(sent("end")[0]).toMatchObject({ sessionId: "s2" });
    await user.click(await within(devices).findByRole("button", { name: "退出其他设备" }));
    await user.click(await screen.findByRole("button", { name: "退出登录" }));
    expect(await screen.findByText("已退出其他 1 个设备")).toBeVisible();
    expect(sent("endOthers")).toHaveLength(1);
    const records = within(await panel("最近登录"));
    expect(records.getByText("密码错误")).toBeVisible();
    expect(records.getByText("新设备")).toBeVisible();
  });

  it("each part says by itself that it could not be read, and is read again", async () => {
    let fails = true;
    const { user } = open({
      list: () =>
        fails
          ? { status: 503, code: 503, message: "服务不可用" }
          : { datas: { results: [session("s1", { current: true })] } },
    });
    const devices = await panel("登录设备");
    expect(await within(devices).findByText("登录设备没有读取成功")).toBeVisible();
    expect(await screen.findByText("138****0001")).toBeVisible();
    fails = false;
    await user.click(within(devices).getByRole("button", { name: "重试" }));
    expect(await within(devices).findByText("本机")).toBeVisible();
  });
});
