/** What a licence of the mall permits the buyer. Makers choose by these texts, buyers and operators read them. */
export interface License {
  value: string;
  title: string;
  /** In one sentence, without its subject. */
  summary: string;
  allowed: readonly string[];
  refused: readonly string[];
}

const PERSONAL: License = {
  value: "personal",
  title: "个人授权",
  summary: "可用于学习、研究和个人作品，不能用于任何收费的产品、服务或广告。",
  allowed: ["个人学习、研究与欣赏", "个人非营利作品，可以修改后使用", "课程作业与毕业设计"],
  refused: ["用于任何收费的产品、服务或广告", "转售、转赠或公开提供模型文件", "以自己的名义重新上架"],
};
const COMMERCIAL: License = {
  value: "commercial",
  title: "商用授权",
  summary: "可用于商业项目，并作为成品的一部分交付；同样不能转售或公开模型文件。",
  allowed: [
    "个人授权允许的全部用途",
    "商业项目、产品与广告，项目数量不限",
    "修改后作为成品的一部分交付给客户",
  ],
  refused: ["转售、转赠或公开提供模型文件", "以自己的名义重新上架", "让他人能从成品中取出原始模型"],
};

export const LICENSES: readonly License[] = [PERSONAL, COMMERCIAL];

/** Falls back to the most restrictive licence. */
export const licenseOf = (value: string): License =>
  LICENSES.find((license) => license.value === value) ?? PERSONAL;

/** The origin of a model. */
export const ORIGINS = [
  { value: "own", title: "原创" },
  { value: "adapted", title: "改编" },
  { value: "ai", title: "AI 生成" },
] as const;

/** Undefined if the maker has not stated it. */
export const originOf = (value: string): string | undefined =>
  ORIGINS.find((origin) => origin.value === value)?.title;
