/** All texts of the account settings. Tests compare them exactly. */
export const accountMessages = {
  // Validation
  nicknameRequired: "请输入昵称",
  nicknameLength: "长度在 1 到 16 个字符",
  usernameWrong: "以字母开头，4~20 位字母、数字或下划线",
  introduceLength: "简介最多 200 个字符",
  emailRequired: "请输入邮箱",
  factorRequired: "请输入动态验证码",
  factorWrong: "动态验证码是 6 位数字",
  recoveryRequired: "请输入恢复码",
  samePassword: "新密码不能与原密码相同",
  pictureUnreadable: "图片无法读取，请重新选择",

  // Success
  saved: "修改成功",
  avatarDefault: "已恢复默认头像",
  mailSent: "验证码已发送到邮箱",
  factorOn: "两步验证已开启",
  factorOff: "两步验证已关闭",
  sessionEnded: "该设备已退出登录",
  sessionsEnded: (count: number) => `已退出其他 ${count} 个设备`,
  interestSaved: "已保存",
  exportAsked: "已申请，打包完成后会发送站内消息",
  accountKept: "已撤销注销，账号照常使用",
  closingAsked: (due: string) => `已申请注销，将于 ${due} 生效`,
  closingConsent: "请先阅读并同意注销后果",

  // Fresh proof
  proofTitle: "安全验证",
  proofText: "为了您的账号安全，请先确认是您本人。确认后 10 分钟内不再询问。",
  othersEnd: "修改后，其他设备会退出登录。",

  // A second factor at sign-in
  factorTitle: "两步验证",
  factorHint: "请打开验证器应用，输入当前的 6 位动态验证码。",
  recoveryHint: "请输入一个尚未用过的恢复码，每个只能使用一次。",
  useRecovery: "无法使用验证器？用恢复码",
  useApp: "用验证器的动态验证码",
} as const;
