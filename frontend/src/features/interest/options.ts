/** Interests, with the codes of setInterestAndRegisterPurpose. */
export const INTERESTS = [
  { code: "design", label: "工业设计" },
  { code: "building", label: "建筑与工程" },
  { code: "game", label: "游戏" },
  { code: "film", label: "影视动画" },
  { code: "print", label: "3D 打印" },
  { code: "map", label: "实景与地图" },
  { code: "education", label: "教育" },
  { code: "commerce", label: "电商展示" },
  { code: "other", label: "其他" },
] as const;

/** Purposes of a registration. */
export const PURPOSES = [
  { code: "personal", label: "个人创作" },
  { code: "work", label: "工作需要" },
  { code: "study", label: "学习研究" },
  { code: "business", label: "商业合作" },
  { code: "other", label: "其他" },
] as const;

const labelIn = (options: readonly { code: string; label: string }[], code: string) =>
  options.find((option) => option.code === code)?.label;

export const codesOf = (interest: string | null | undefined): string[] =>
  (interest ?? "").split(",").filter((code) => labelIn(INTERESTS, code));

export const interestText = (interest: string | null | undefined): string =>
  codesOf(interest)
    .map((code) => labelIn(INTERESTS, code))
    .join("、");

export const purposeText = (purpose: string | null | undefined): string =>
  labelIn(PURPOSES, purpose ?? "") ?? "";
