import { authMessages as m } from "@/messages/auth";

export const PHONE_DIGITS = 11;
export const ACCOUNT_MAX = 32;
export const PASSWORD_MIN = 6;
export const PASSWORD_MAX = 16;
export const CODE_MAX = 6;
export const PROMOTION_MAX = 11;

/** A mainland mobile number as the sign-in forms accept it: 11 digits, 1, then 3 to 9. */
const MOBILE = /^1[3-9]\d{9}$/;
const EMAIL = /^[A-Za-z0-9._%+-]+@(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z]{2,}$/;
const CHINESE = /\p{Script=Han}/gu;

/** A message, or undefined when the value is valid. */
export type Verdict = string | undefined;

export function checkAccount(value: string): Verdict {
  if (!value) return m.accountRequired;
  if (value.includes("@")) return EMAIL.test(value) ? undefined : m.emailWrong;
  return MOBILE.test(value) ? undefined : m.phoneWrong;
}

export function checkPhone(value: string): Verdict {
  if (!value) return m.phoneRequired;
  return MOBILE.test(value) ? undefined : m.phoneWrong;
}

export function checkPassword(value: string): Verdict {
  if (!value) return m.passwordRequired;
  return value.length < PASSWORD_MIN || value.length > PASSWORD_MAX ? m.passwordLength : undefined;
}

/** A code needs its key: without one it was never requested for this number. */
export function checkCode(value: string, smsKey: string): Verdict {
  if (!smsKey) return m.codeNotRequested;
  if (!value) return m.codeRequired;
  return /^\d{1,6}$/.test(value) ? undefined : m.codeWrong;
}

/** Checks the confirm field on blur. */
export function checkConfirmField(confirm: string, password: string): Verdict {
  if (!confirm) return m.confirmFieldRequired;
  if (confirm.length < PASSWORD_MIN) return m.confirmFieldShort;
  return confirm === password ? undefined : m.confirmFieldDiffers;
}

export function checkPromotion(value: string): Verdict {
  return value.trim() ? undefined : m.promotionRequired;
}

export interface RecoveryValues {
  phone: string;
  password: string;
  confirm: string;
  code: string;
}

export type RecoveryField = keyof RecoveryValues | "captcha";

/** The checks of the recovery form in order; returns only the first failure. */
export function checkRecovery(
  values: RecoveryValues,
  smsKey: string,
  captchaPassed: boolean,
): { field: RecoveryField; message: string } | undefined {
  const { phone, password, confirm, code } = values;
  if (!MOBILE.test(phone)) return { field: "phone", message: m.phoneWrong };
  const wrongPassword = checkPassword(password);
  if (wrongPassword) return { field: "password", message: wrongPassword };
  if (!confirm) return { field: "confirm", message: m.confirmRequired };
  if (confirm !== password) return { field: "confirm", message: m.confirmDiffers };
  const wrongCode = checkCode(code, smsKey);
  if (wrongCode) return { field: "code", message: wrongCode };
  if (!captchaPassed) return { field: "captcha", message: m.captchaRequired };
  return undefined;
}

// Filters for typed or pasted input.

export function cleanAccount(value: string): string {
  return value.replace(CHINESE, "").slice(0, ACCOUNT_MAX);
}

export function cleanPhone(value: string): string {
  return value.replace(/\D/g, "").slice(0, PHONE_DIGITS);
}

export function cleanPassword(value: string): string {
  return value.slice(0, PASSWORD_MAX);
}

export function cleanCode(value: string): string {
  return value.replace(/\D/g, "").slice(0, CODE_MAX);
}

export function cleanPromotion(value: string): string {
  return value.slice(0, PROMOTION_MAX);
}
