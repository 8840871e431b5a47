import type { PersonalReviewItem } from "../../api/generated/personal";
import type { Word } from "../../kit/choices";

export const KINDS = [
  { value: "picture", text: "图片" },
  { value: "text", text: "文本" },
] as const;

export const STATES: readonly Word[] = [
  { value: "waiting", text: "待审", tone: "warning" },
  { value: "accepted", text: "已通过", tone: "success" },
  { value: "refused", text: "已驳回", tone: "danger" },
];

export const PLACES: readonly Word[] = [
  { value: "nickname", text: "昵称" },
  { value: "introduce", text: "个人简介" },
];

export const pathOf = (id: string): string => `/review/${encodeURIComponent(id)}`;
export const userPath = (loginId: string): string => `/users/${encodeURIComponent(loginId)}`;

/** The subject of a case: the picture, or the text's place. */
export const whatOf = ({ kind, place }: PersonalReviewItem): string =>
  kind === "picture" ? "图片" : (PLACES.find(({ value }) => value === place)?.text ?? "文本");

type Claimed = Pick<PersonalReviewItem, "claimedBy" | "claimedUntil">;

export const isClaimed = ({ claimedBy, claimedUntil }: Claimed, now: number): boolean =>
  claimedBy !== "" && claimedUntil > now;

export const isOthers = (item: Claimed, me: string, now: number): boolean =>
  isClaimed(item, now) && item.claimedBy !== me;

/** The case after `current`: the next newer one, else the oldest; never one claimed by another operator. */
export function nextOf(
  items: readonly PersonalReviewItem[],
  current: Pick<PersonalReviewItem, "id" | "createdAt"> | undefined,
  me: string,
  now: number,
): PersonalReviewItem | undefined {
  const free = items.filter(
    (item) => item.id !== current?.id && item.state === "waiting" && !isOthers(item, me, now),
  );
  return free.find(({ createdAt }) => createdAt >= (current?.createdAt ?? 0)) ?? free[0];
}
