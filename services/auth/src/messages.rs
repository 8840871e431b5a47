//! Messages of refusals that forms show too (`frontend/src/messages/auth.ts`; a test compares them). Which code comes with which is
//! decided where it is refused; docs/errors.md lists the codes.

pub const PHONE_REQUIRED: &str = "请输入手机号";
pub const PHONE_WRONG: &str = "请输入正确的手机号";
pub const ACCOUNT_REQUIRED: &str = "请输入手机号或者邮箱";
pub const EMAIL_WRONG: &str = "请输入正确的邮箱";
pub const PASSWORD_REQUIRED: &str = "请输入密码";
pub const PASSWORD_LENGTH: &str = "请输入6~16位字符的密码";
pub const PASSWORD_COMMON: &str = "密码太常见，容易被猜到，请换一个";
pub const KEY_REQUIRED: &str = "请获取验证码";
pub const CODE_REQUIRED: &str = "请输入验证码";
pub const CODE_WRONG: &str = "请输入正确的验证码";
pub const CODE_EXPIRED: &str = "验证码已失效，请重新获取";
pub const SLIDER_REQUIRED: &str = "请进行智能验证";
pub const USER_EXISTS: &str = "用户已存在";
pub const USER_MISSING: &str = "用户不存在";
pub const PHONE_EXISTS: &str = "手机号码已存在";
pub const EMAIL_EXISTS: &str = "邮箱已被使用";
pub const NOT_REGISTERED: &str = "账号未注册";
pub const WRONG_PASSWORD: &str = "账号或密码错误";
