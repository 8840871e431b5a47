import dayjs from "dayjs";
import type { OrderMemberGrade } from "@/calls/order";
import { shopMessages } from "@/messages/shop";
import type { PaidGrade } from "@/shop";
import { GRADE_NAMES, type Grade, RANKS } from "@/ui/MemberBadge";
import { amount, discount, size } from "./figures";

/** The tabs of the purchase dialog, in order. */
export const PAID_GRADES: readonly PaidGrade[] = ["basic", "advanced", "professional"];

export const isPaidGrade = (text: string | null): text is PaidGrade =>
  PAID_GRADES.includes(text as PaidGrade);

/** The initial tab: the requested one, else the current grade's, else the first. */
export function firstTab(asked: PaidGrade | null, current: Grade): PaidGrade {
  return asked ?? (current === "free" ? "basic" : current);
}

/**
 * Why a member cannot buy a grade; undefined if they can. The lowest grade is not sold to members of a higher one, nor the
 * highest to its own members; buying any other grade again adds a year.
 */
export function purchaseBlock(grade: PaidGrade, current: Grade): string | undefined {
  if (current === "free") return undefined;
  if (grade === "basic" && current !== "basic") return shopMessages.lowerOwned(GRADE_NAMES.basic);
  if (grade === "professional" && current === "professional")
    return shopMessages.highestRunning(GRADE_NAMES.professional);
  return undefined;
}

/**
 * Effect of buying a year of a grade: it starts, is extended, starts now ahead of the rest of a lower one, or follows a higher
 * one. `expires`: end of the current grade.
 */
export function effectOf(grade: PaidGrade, current: Grade, expires: number | null, now: number): string {
  const day = (time: number, years = 0) => dayjs(time).add(years, "year").format("YYYY-MM-DD");
  if (current === "free") return shopMessages.beginsNow(day(now, 1));
  const until = expires ?? now;
  if (grade === current) return shopMessages.renews(GRADE_NAMES[current], day(until), day(until, 1));
  if (RANKS[grade] > RANKS[current])
    return shopMessages.upgrades(GRADE_NAMES[grade], day(now, 1), GRADE_NAMES[current]);
  return shopMessages.follows(GRADE_NAMES[grade], GRADE_NAMES[current], day(until));
}

/** The server's grade of a tab. */
export function gradeBehind(
  grades: readonly OrderMemberGrade[] | undefined,
  tab: PaidGrade,
): OrderMemberGrade | undefined {
  return grades?.find((grade) => grade.rank === RANKS[tab]);
}

/** Privileges of a grade, from the server's figures. */
export function privilegesOf(grade: OrderMemberGrade): readonly { title: string; value: string }[] {
  return [
    { title: "存储空间", value: size(grade.storageGb) },
    { title: "单个模型", value: `${grade.singleMaxMb} MB` },
    { title: "倾斜摄影", value: size(grade.sceneMaxGb) },
    { title: "单模型轻量化", value: amount(grade.singleModelLightweight, "次/年") },
    { title: "格式转换", value: amount(grade.modelFormatConversion, "次/年") },
    { title: "离线包下载", value: amount(grade.singleModelOfflinePackage, "次/年") },
    { title: "倾斜摄影轻量化", value: discount(grade.sceneModelLightweight) },
    { title: "付费模型下载", value: amount(grade.modelMallChargeModelDownloads, "个/月") },
    { title: "处理接口调用", value: amount(grade.apiCalls, "次/年") },
  ];
}
