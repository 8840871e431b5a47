export { AuthDialogHost } from "./AuthDialogHost";
export { CaptchaPanel } from "./captcha/CaptchaPanel";
export { FactorStep } from "./FactorStep";
export { LoginPage } from "./LoginPage";
export { checkConfirmField, checkPassword, cleanCode, cleanPassword } from "./rules";
export { usePhoneCode } from "./usePhoneCode";
