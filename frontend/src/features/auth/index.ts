export { AuthDialogHost } from "./AuthDialogHost";
export { CaptchaPanel } from "./captcha/CaptchaPanel";
export { FactorStep } from "./FactorStep";
export { forgetCode, isSameCode, rememberCode } from "./invitedCode";
export { LoginPage } from "./LoginPage";
export { checkConfirmField, checkPassword, cleanCode, cleanPassword, cleanPromotion } from "./rules";
export { usePhoneCode } from "./usePhoneCode";
export { usePromotionCode } from "./usePromotionCode";
