import type { TransactionMakerListing, TransactionSaveListingRequest } from "@/calls/transaction";
import { formatCents } from "@/ui/Price";

export const MOST = { name: 50, intro: 100, description: 5000, notes: 500, labels: 10, atOnce: 50 } as const;

/** Lowest and highest price in cents unless free. */
const LOWEST_PRICE = 100;
const HIGHEST_PRICE = 9_999_999;

/** Characters as the server counts them: by code point. */
export const lengthOf = (text: string): number => [...text.trim()].length;

/** Typed yuan as cents; undefined if the mall does not accept the price. Never uses floating point. */
export function centsOf(typed: string): number | undefined {
  const parts = /^(\d{1,6})(?:\.(\d{1,2}))?$/.exec(typed.trim().replace(/,/g, ""));
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

const tooLong = (called: string, text: string, most: number): string | undefined =>
  lengthOf(text) > most ? `${called}最多 ${most} 个字符` : undefined;

/** Errors of the input; `whole` also checks what is required for submission. */
export function problemsOf(values: Values, whole: boolean): Problems {
  const empty = (text: string) => whole && text.trim() === "";
  const problems: Problems = {
    name: values.name.trim() === "" ? "请填写模型名称" : tooLong("模型名称", values.name, MOST.name),
    categoryId: empty(values.categoryId) ? "请选择分类" : undefined,
    labelIds: values.labelIds.length > MOST.labels ? `最多选择 ${MOST.labels} 个标签` : undefined,
    intro: empty(values.intro) ? "请填写一句话介绍" : tooLong("一句话介绍", values.intro, MOST.intro),
    description: tooLong("详细说明", values.description, MOST.description),
    price: empty(values.price)
      ? "请填写价格"
      : values.price.trim() !== "" && centsOf(values.price) === undefined
        ? PRICE_WRONG
        : undefined,
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
