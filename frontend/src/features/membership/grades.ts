import type { OrderMemberGrade } from "@/calls/order";
import { FREE_SINGLE_MAX_MB, FREE_STORAGE_GB } from "@/facts/limits";
import { GRADE_NAMES, type Grade, RANKS } from "@/ui/MemberBadge";
import { amount, size } from "./figures";

/** An edition as pages present it. Prices and quotas come from the server's list. */
export interface GradeColumn {
  key: Grade;
  name: string;
  forWhom: string;
  recommended?: boolean;
}

export const GRADES: readonly GradeColumn[] = [
  { key: "free", name: GRADE_NAMES.free, forWhom: "先试一试" },
  { key: "basic", name: GRADE_NAMES.basic, forWhom: "个人与小团队" },
  { key: "advanced", name: GRADE_NAMES.advanced, forWhom: "经常处理模型的团队", recommended: true },
  { key: "professional", name: GRADE_NAMES.professional, forWhom: "以模型为业的企业" },
];

/** Daily quota of free models, enforced by the transaction service (`A_DAY`). */
export const FREE_MODELS = "每天 5 个";

/** Yearly price of an edition (cents) and the highlights at the top of its card. */
export interface Offer {
  yearCents: number;
  highlights: readonly string[];
}

const FREE: Offer = {
  yearCents: 0,
  highlights: [
    `${size(FREE_STORAGE_GB)} 存储空间`,
    `单个模型 ${FREE_SINGLE_MAX_MB} MB`,
    `${FREE_MODELS}免费模型`,
  ],
};

/** The offer of an edition; undefined until the server's list is loaded. */
export function offerOf(key: Grade, sold: readonly OrderMemberGrade[] | undefined): Offer | undefined {
  if (key === "free") return FREE;
  const grade = sold?.find((one) => one.rank === RANKS[key]);
  if (!grade) return undefined;
  const { singleModelLightweight: lighten, modelFormatConversion: convert } = grade;
  const runs =
    lighten === convert
      ? [`轻量化与转换${lighten < 0 ? "不限次" : `各 ${amount(lighten, "次/年")}`}`]
      : [`轻量化 ${amount(lighten, "次/年")}，转换 ${amount(convert, "次/年")}`];
  return {
    yearCents: grade.annualFee,
    highlights: [`${size(grade.storageGb)} 存储空间`, `单个模型 ${grade.singleMaxMb} MB`, ...runs],
  };
}

/** Price per day of the cheapest grade in yuan, and the largest discount on oblique photography in percent. */
export function bestOf(sold: readonly OrderMemberGrade[]): { daily: string; reduction: number } {
  const year = Math.min(...sold.map((grade) => grade.annualFee));
  const share = Math.min(...sold.map((grade) => grade.sceneModelLightweight));
  return { daily: (year / 100 / 365).toFixed(1), reduction: 100 - share };
}
