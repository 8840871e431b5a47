/** The membership's fixed table: what each grade holds. Prices are cents for a year. */
export interface GradeColumn {
  key: "free" | "basic" | "advanced" | "professional";
  name: string;
  forWhom: string;
  yearCents: number;
  recommended?: boolean;
  /** The three facts of the card's head. */
  highlights: readonly string[];
}

export const GRADES: readonly GradeColumn[] = [
  {
    key: "free",
    name: "免费版",
    forWhom: "先试一试",
    yearCents: 0,
    highlights: ["10 GB 存储空间", "单个模型 300 MB", "每天 5 个免费模型"],
  },
  {
    key: "basic",
    name: "基础会员",
    forWhom: "个人与小团队",
    yearCents: 29900,
    highlights: ["500 GB 存储空间", "单个模型 500 MB", "轻量化与转换各 180 次/年"],
  },
  {
    key: "advanced",
    name: "高级会员",
    forWhom: "经常处理模型的团队",
    yearCents: 69900,
    recommended: true,
    highlights: ["1 TB 存储空间", "单个模型 500 MB", "轻量化与转换各 720 次/年"],
  },
  {
    key: "professional",
    name: "专业会员",
    forWhom: "以模型为业的企业",
    yearCents: 169900,
    highlights: ["5 TB 存储空间", "单个模型 500 MB", "轻量化与转换不限次"],
  },
];
