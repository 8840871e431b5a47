import type { TransactionMakerListing, TransactionSaveListingRequest } from "@/calls/transaction";
import { formatCents } from "@/ui/Price";

export const MOST = { name: 50, intro: 100, description: 5000, notes: 500, labels: 10, atOnce: 50 } as const;

/** Lowest and highest price in cents unless free. */
const LOWEST_PRICE = 100;
const HIGHEST_PRICE = 9_999_999;

/** Characters as the server counts them: by code point. */
export const lengthOf = (text: string): number => [...text.trim()].length;

const THOUSANDS = /^\d{1,3}(,\d{3})+(\.\d*)?$/;

/** With full-width digits and points as plain ones. */
const halfWidth = (typed: string): string =>
  typed.trim().normalize("NFKC").replace(/。/g, ".").replace(/、/g, ",");

/**
 * What the price's field holds after some typing: at most 5 digits before the point and 2 behind it. A comma stays to be seen, and
 * told where it does not part thousands: without it 19,90 would be 1990.
 */
export function priceTyped(typed: string, before: string): string {
  const text = halfWidth(typed);
  const plain = THOUSANDS.test(text) ? text.replace(/,/g, "") : text;
  const [whole = "", ...behind] = plain.split(".");
  const fits = /^[\d,]*$/.test(whole) && whole.replace(/,/g, "").length <= 5 && whole.length <= 7;
  return fits && (behind.length === 0 || (behind.length === 1 && /^\d{0,2}$/.test(behind[0] ?? "")))
    ? text
    : before;
}

/** Typed yuan as cents; undefined if the mall does not accept the price. Never uses floating point. */
export function centsOf(typed: string): number | undefined {
  const text = halfWidth(typed);
  const plain = THOUSANDS.test(text) ? text.replace(/,/g, "") : text;
  const parts = /^(\d{1,6})(?:\.(\d{1,2}))?$/.exec(plain);
  if (!parts) return undefined;
  const cents = Number(parts[1]) * 100 + Number((parts[2] ?? "").padEnd(2, "0"));
  return cents === 0 || (cents >= LOWEST_PRICE && cents <= HIGHEST_PRICE) ? cents : undefined;
}

export const PRICE_WRONG = "价格为 0（免费）或 1 至 99,999.99 元，最多两位小数";

export interface Values {
  name: string;
  categoryId: string;
  labelIds: readonly string[];
  intro: string;
  description: string;
  license: string;
  /** In yuan, as typed. */
  price: string;
  origin: string;
}

export type Problems = Partial<Record<keyof Values, string>>;

export function valuesOf({ listing, description }: TransactionMakerListing): Values {
  const { name, categoryId, labelIds, intro, license, price, origin } = listing;
  const yuan = price < 0 ? "" : formatCents(price).replace(/,/g, "");
  return { name, categoryId, labelIds, intro, description, license, price: yuan, origin };
}

/** Whether a text has more characters than its field takes. */
export const isOver = (field: keyof Values, values: Values): boolean =>
  (field === "name" || field === "intro" || field === "description") && lengthOf(values[field]) > MOST[field];

const tooLong = (called: string, text: string, most: number): string | undefined =>
  lengthOf(text) > most ? `${called}最多 ${most} 个字符` : undefined;

function priceProblem(price: string, saved: string, whole: boolean): string | undefined {
  if (price.trim() !== "") return centsOf(price) === undefined ? PRICE_WRONG : undefined;
  if (saved.trim() !== "") return "价格不能清空，免费请填 0";
  return whole ? "请填写价格" : undefined;
}

/** Errors of the input; `whole` also checks what is required for submission. `before`: what is saved. */
export function problemsOf(values: Values, whole: boolean, before?: Values): Problems {
  const empty = (text: string) => whole && text.trim() === "";
  const problems: Problems = {
    name: values.name.trim() === "" ? "请填写模型名称" : tooLong("模型名称", values.name, MOST.name),
    categoryId: empty(values.categoryId) ? "请选择分类" : undefined,
    labelIds: values.labelIds.length > MOST.labels ? `最多选择 ${MOST.labels} 个标签` : undefined,
    intro: empty(values.intro) ? "请填写一句话介绍" : tooLong("一句话介绍", values.intro, MOST.intro),
    description: tooLong("详细说明", values.description, MOST.description),
    price: priceProblem(values.price, before?.price ?? "", whole),
  };
  return Object.fromEntries(Object.entries(problems).filter(([, problem]) => problem !== undefined));
}

type Change = Omit<TransactionSaveListingRequest, "userId" | "listingId" | "revision">;

type Field = keyof Values;

const FIELDS: readonly Field[] = [
  "name",
  "categoryId",
  "labelIds",
  "intro",
  "description",
  "origin",
  "license",
  "price",
];

/** Whether a field says the same twice, however it is written. */
function same(field: Field, one: Values, other: Values): boolean {
  if (field === "labelIds") return one.labelIds.join() === other.labelIds.join();
  const [text, next] = [one[field].trim(), other[field].trim()];
  if (text === next) return true;
  const cents = field === "price" ? centsOf(text) : undefined;
  return cents !== undefined && cents === centsOf(next);
}

/** Fields that differ. */
export const touched = (before: Values, now: Values): readonly Field[] =>
  FIELDS.filter((field) => !same(field, before, now));

export const picked = (values: Values, fields: readonly Field[]): Partial<Values> =>
  Object.fromEntries(fields.map((field) => [field, values[field]]));

/** Only changed fields are sent: changed content of a listed model is reviewed, a changed price is not. */
export function changeOf(before: Values, now: Values): Change {
  const change: Change = {};
  for (const field of touched(before, now)) {
    if (field === "labelIds") change.labelIds = now.labelIds.join(",");
    else if (field !== "price") change[field] = now[field].trim();
    else if (centsOf(now.price) !== undefined) change.price = centsOf(now.price);
  }
  return change;
}

/** Of a change, what is not reviewed. */
export function termsOf({ license, price }: Change): Change {
  return { ...(license !== undefined && { license }), ...(price !== undefined && { price }) };
}

export interface Rebased {
  /** What the form shows now, to be saved over `theirs`. */
  values: Values;
  /** What fields say elsewhere that were changed on both sides. */
  elsewhere: Partial<Values>;
}

/**
 * Unsaved input after the listing was changed elsewhere: fields that the user did not touch take the new value, touched ones stay.
 *
 * @param base what `mine` began with
 * @param theirs what is saved by now
 */
export function rebased(base: Values, mine: Values, theirs: Values): Rebased {
  const own = touched(base, mine);
  const both = own.filter((field) => !same(field, base, theirs) && !same(field, mine, theirs));
  return { values: { ...theirs, ...picked(mine, own) }, elsewhere: picked(theirs, both) };
}

export const isEmpty = (change: object): boolean => Object.keys(change).length === 0;
