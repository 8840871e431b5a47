import type { FacetName } from "./address";

export const FACET_TITLES: Record<FacetName, string> = {
  category: "分类",
  price: "价格",
  format: "格式",
  license: "授权",
  triangles: "三角面",
  animation: "动画",
  score: "体检得分",
  origin: "来源",
  label: "标签",
  seller: "作者",
};

const MAKERS = ["作者", "玄览云自营", "个人模型师", "企业模型师"];
/** By `uploaderType`; 0: has not applied. */
export const makerKind = (uploaderType: number): string => MAKERS[uploaderType] ?? "作者";

/** Average rating with one decimal; requires at least one rating. */
export const averageText = ({ ratingSum, ratingCount }: { ratingSum: number; ratingCount: number }): string =>
  (ratingSum / ratingCount).toFixed(1);
