import type {
  TransactionListingRecord,
  TransactionListingResult,
  TransactionMakerListing,
} from "@/calls/transaction";
import { LICENSES, ORIGINS } from "@/messages/licenses";
import { isTakenOff, LISTING_ACTIONS } from "@/messages/listings";
import { formatCents } from "@/ui/Price";
import type { StatusTone } from "@/ui/StatusTag";

interface StateWord {
  text: string;
  tone: StatusTone;
}

/** States of listings to be released, in the order of the filter. */
export const TO_BE_RELEASED: Readonly<Record<string, StateWord>> = {
  draft: { text: "待完善", tone: "neutral" },
  making: { text: "制作展示图", tone: "running" },
  submitted: { text: "审核中", tone: "warning" },
  // both decisions that send a model back; a row says which
  rejected: { text: "已退回", tone: "danger" },
};
export const RELEASED: Readonly<Record<string, StateWord>> = {
  listed: { text: "已上架", tone: "success" },
  withdrawn: { text: "已下架", tone: "neutral" },
  takendown: { text: "平台下架", tone: "danger" },
};

/** What an operator decided of a version that was sent back. */
const DECISIONS: Readonly<Record<string, StateWord>> = {
  changes: { text: "需要修改", tone: "warning" },
  refused: { text: "未通过", tone: "danger" },
};

export const stateWord = ({
  state,
  decision,
}: Pick<TransactionMakerListing, "state" | "decision">): StateWord =>
  (state === "rejected" && DECISIONS[decision]) ||
  (TO_BE_RELEASED[state] ?? RELEASED[state] ?? { text: state || "未知", tone: "neutral" });

/** What becomes of the new version of a model that the mall shows. */
export const newsWord = ({
  versionState,
  decision,
}: Pick<TransactionMakerListing, "versionState" | "decision">) =>
  versionState === "rejected"
    ? (DECISIONS[decision]?.text ?? "未通过")
    : versionState === "failed"
      ? "制作失败"
      : "审核中";

const VERSION_STATES: Readonly<Record<string, string>> = {
  draft: "未提交",
  making: "制作展示图",
  submitted: "审核中",
  ready: "已通过",
  rejected: "未通过",
  failed: "展示图制作失败",
  discarded: "已放弃",
};
export const versionWord = (state: string): string => VERSION_STATES[state] ?? state;

const ACTIONS: Readonly<Record<string, string>> = LISTING_ACTIONS;
type Deed = Pick<TransactionListingRecord, "action" | "at">;
export const actionWord = ({ action, at }: Deed, all: readonly Deed[]): string =>
  action === "withdrawn" ? (isTakenOff(at, all) ? "下架" : "撤回审核") : (ACTIONS[action] ?? action);

/** The two licences, explained to makers. */
export const LICENSE_CHOICES = LICENSES.map(({ value, title, summary }) => ({
  value,
  title,
  note: `买家${summary}`,
}));

const ORIGIN_NOTES: Readonly<Record<(typeof ORIGINS)[number]["value"], string>> = {
  own: "从头到尾由我制作。",
  adapted: "在他人作品上修改，并已取得允许。",
  ai: "主要由人工智能生成，商城会标明。",
};
export const ORIGIN_CHOICES = ORIGINS.map((one) => ({ ...one, note: ORIGIN_NOTES[one.value] }));

export const titleOf = (choices: readonly { value: string; title: string }[], value: string): string =>
  choices.find((one) => one.value === value)?.title ?? value;

/** Below zero: a draft without a price. */
export const priceText = (cents: number): string =>
  cents < 0 ? "未填写" : cents === 0 ? "免费" : `¥${formatCents(cents)}`;

export const detailsPath = (listingId: string): string =>
  `/publishCenter/details?listingId=${encodeURIComponent(listingId)}`;

export const mallPath = (listingId: string): string =>
  `/transaction/detail?id=${encodeURIComponent(listingId)}`;

export const isReleased = ({ state }: Pick<TransactionMakerListing, "state">): boolean => state in RELEASED;

/** Whether a version is under review or being prepared for it. */
export const underReview = ({ versionState }: Pick<TransactionMakerListing, "versionState">): boolean =>
  versionState === "making" || versionState === "submitted";

/** Actions that a listing's state allows. */
export function allowed(listing: Pick<TransactionMakerListing, "state" | "versionState">) {
  const { state } = listing;
  const busy = underReview(listing);
  return {
    texts: !busy && state !== "takendown",
    terms: state !== "takendown" && (!busy || isReleased(listing)),
    submit: !busy && state !== "takendown" && (!isReleased(listing) || listing.versionState !== "ready"),
    withdraw: state === "listed" || state === "making" || state === "submitted",
    // of changes to what the mall shows or has shown; of the first version it is `withdraw`
    takeBack: busy && isReleased(listing),
    discard: isReleased(listing) && listing.versionState !== "ready",
    relist: state === "withdrawn",
    version: !busy && (state === "listed" || state === "withdrawn"),
    remove: state === "draft" || state === "rejected",
  };
}

/** Summary of an action on one or many listings. */
export function outcome(results: readonly TransactionListingResult[], done: string): string {
  const refused = results.filter(({ message }) => message !== "").length;
  if (refused === 0) return results.length > 1 ? `${results.length} 个模型${done}` : `已${done}`;
  return `${results.length - refused} 个模型${done}，${refused} 个没有完成`;
}
