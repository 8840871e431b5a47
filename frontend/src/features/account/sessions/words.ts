import dayjs from "dayjs";

const METHODS: Readonly<Record<string, string>> = {
  password: "密码登录",
  sms: "短信登录",
  register: "注册",
  wechat: "微信登录",
  qq: "QQ 登录",
};

const KINDS: Readonly<Record<string, string>> = { desktop: "电脑", mobile: "手机" };

export const methodText = (method: string): string => METHODS[method] ?? "登录";

/** The device as the server describes it, else its kind. */
export const deviceText = (device: string, kind: string): string => device || KINDS[kind] || "程序";

export const timeText = (at: number): string => dayjs(Number(at)).format("YYYY-MM-DD HH:mm");
