import type { PaymentBankCard, PaymentWithdrawList } from "@/calls/payment";
import { centsOf } from "@/lib/yuan";
import { formatCents } from "@/ui/Price";

export const BRANCH_MAX = 60;
const DIGITS_MAX = 19;
const GROUP = /(\d{4})(?=\d)/g;

/** Formats a card number: digits in groups of four. */
export const cardText = (text: string): string =>
  text.replace(/\D/g, "").slice(0, DIGITS_MAX).replace(GROUP, "$1 ");

/** Luhn check. */
function fits(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits[digits.length - 1 - at]);
    const doubled = digit * 2;
    sum += at % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** Why a card number is invalid; undefined if it is valid. */
export function cardProblem(text: string): string | undefined {
  const digits = text.replace(/\s/g, "");
  if (!digits) return "请输入银行卡号";
  return /^[1-9]\d{15,18}$/.test(digits) && fits(digits) ? undefined : "请输入正确的银行卡号";
}

/** The fee in cents; the server computes it the same way. */
export function feeOf(cents: number, terms: Pick<PaymentWithdrawList, "feeBp" | "leastFee">): number {
  const part = Math.floor((cents * terms.feeBp) / 10_000);
  return Math.min(Math.max(part, terms.leastFee), Math.max(cents - 1, 0));
}

type Terms = Pick<PaymentWithdrawList, "least" | "most" | "incomeBalance">;

/** Why an amount cannot be withdrawn; undefined if it can. */
export function amountProblem(yuan: string, terms: Terms): string | undefined {
  const cents = centsOf(yuan);
  if (!cents) return "请输入提现金额";
  if (cents < terms.least || cents > terms.most)
    return `单笔提现金额为 ${formatCents(terms.least)} 至 ${formatCents(terms.most)} 元`;
  if (cents > terms.incomeBalance) return `可提现 ${formatCents(terms.incomeBalance)} 元，请修改金额`;
  return undefined;
}

/** Bank and last digits: 中国工商银行 尾号 0128. */
export const cardName = (card: Pick<PaymentBankCard, "bankName" | "cardNo">): string =>
  `${card.bankName || "银行卡"} 尾号 ${card.cardNo.slice(-4)}`;
