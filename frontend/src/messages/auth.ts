/** Every sentence of sign-in, registration, recovery and what belongs to them. Tests assert them letter by letter. */
export const authMessages = {
  // Validation
  accountRequired: "请输入手机号或者邮箱",
  emailWrong: "请输入正确的邮箱",
  phoneRequired: "请输入手机号",
  phoneWrong: "请输入正确的手机号",
  passwordRequired: "请输入密码",
  passwordLength: "请输入6~16位字符的密码",
  codeRequired: "请输入验证码",
  codeWrong: "请输入正确的验证码",
  codeNotRequested: "请获取验证码",
  confirmFieldRequired: "请再次输入密码",
  confirmFieldDiffers: "两次输入密码不一致!",
  confirmFieldShort: "请输入正确的密码",
  confirmRequired: "请确认密码",
  confirmDiffers: "两次密码需一致",
  captchaRequired: "请进行智能验证",
  promotionRequired: "请填写推广码",
  agreementRequired: "请先阅读并同意会员服务协议与平台保密协议",

  // Existence of the account
  userExists: "用户已存在",
  userMissing: "用户不存在",
  phoneExists: "手机号码已存在",
  notRegistered: "该账号尚未注册，",
  goRegister: "去注册",

  // Success
  sent: "发送成功",
  signedIn: "登录成功",
  changed: "修改成功",

  // SMS button
  sendCode: "获取验证码",
  resendIn: (seconds: number) => `${seconds}s后重新发送`,

  // Dialog
  loginTitle: "登录玄览云",
  registerTitle: "注册玄览云账号",
  rebuildTitle: "找回密码",
  bindPhoneTitle: "绑定手机号",
  promotionTitle: "填写推广码",
  welcomeTitle: "账号已经建好",
  noAccount: "没有账号，",
  hasAccount: "已有账号，",
  goLogin: "去登录",
  smsTab: "短信登录",
  passwordTab: "密码登录",
  forgot: "忘记密码",
  freeRegister: "免费注册",
  backToLogin: "返回登录",
  otherWays: "其他登录方式",
  thirdPartyMissing: (provider: string) => `${provider}登录还没有接通，请先用短信或密码登录`,
  thirdPartyUnfinished: "第三方登录没有完成，请用短信或密码登录",
  unreadableToken: "登录没有完成，请重新登录",
} as const;

/** The puzzle. The first four are the ways a check can fail before the server judges it. */
export const captchaMessages = {
  notScratched: "盾牌还没有刮开，请刮开后再提交",
  timedOut: "验证已超时",
  network: "网络异常，验证没有完成",
  tooFast: "刮得太快了，请慢一点",
  retry: "重新验证",
  missed: "没有对准，请再试一次",
  blocked: "失败次数较多，请稍等一会再试",
  expired: "这次验证已失效，请再试一次",
  another: "还需要再确认一次",
  passed: "验证通过",
  idle: "点击完成智能验证",
  title: "智能验证",
  slideHint: "让圆圈套住同行里与标牌相同的符号",
  scratchHint: "刮开盾牌图案，然后提交",
  loading: "正在准备验证",
  verifying: "正在验证",
  submit: "提交",
} as const;
