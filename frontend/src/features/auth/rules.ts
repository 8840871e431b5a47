import { characters, firstCharacters } from "@/lib/characters";
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
  const length = characters(value);
  return length < PASSWORD_MIN || length > PASSWORD_MAX ? m.passwordLength : undefined;
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
  if (characters(confirm) < PASSWORD_MIN) return m.confirmFieldShort;
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
  const text = firstCharacters(value.replace(CHINESE, "").trim(), ACCOUNT_MAX);
  // A whole number in another spelling; what is none stays as it was typed.
  const number = nationalNumber(text);
  return /^[+\s\d\p{Nd}＋-]+$/u.test(text) && MOBILE.test(number) ? number : text;
}

/** Digits as they are written in China: of any width, without the country code, which no number of ours begins with. */
function nationalNumber(value: string): string {
  return value
    .normalize("NFKC")
    .replace(/\D/g, "")
    .replace(/^(?:00)?86(?=1)/, "");
}

export function cleanPhone(value: string): string {
  return nationalNumber(value).slice(0, PHONE_DIGITS);
}

export function cleanPassword(value: string): string {
  return firstCharacters(value, PASSWORD_MAX);
}

export function cleanCode(value: string): string {
  return value.replace(/\D/g, "").slice(0, CODE_MAX);
}

export function cleanPromotion(value: string): string {
  return firstCharacters(value, PROMOTION_MAX);
}
