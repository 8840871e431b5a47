/** The author's data of a work, as a form and as a request. */
import type { WorksMyWork, WorksSaveWorkRequest } from "@/calls/works";

export const MOST = { name: 50, description: 2000, labels: 10, label: 20, scene: 16_384 } as const;

export interface Values {
  name: string;
  description: string;
  type: number;
  categoryId: string;
  industryId: string;
  labels: readonly string[];
  visibility: string;
  commentsAllowed: boolean;
  downloadAllowed: boolean;
  scene: string;
}

export const lengthOf = (text: string): number => [...text.trim()].length;

export const valuesOf = ({
  card,
  visibility,
  commentsAllowed,
  downloadAllowed,
  scene,
}: WorksMyWork): Values => ({
  name: card.name,
  description: card.description,
  // Both mean a single model.
  type: card.type === 3 ? 0 : card.type,
  categoryId: card.categoryId,
  industryId: card.industryId,
  labels: card.labels,
  visibility,
  commentsAllowed,
  downloadAllowed,
  scene,
});

/** Only changed fields. */
export function changeOf(before: Values, now: Values): Omit<WorksSaveWorkRequest, "userId" | "worksId"> {
  const change: Omit<WorksSaveWorkRequest, "userId" | "worksId"> = {};
  if (now.name.trim() !== before.name) change.name = now.name.trim();
  if (now.description.trim() !== before.description) change.description = now.description.trim();
  if (now.type !== before.type) change.type = now.type;
  if (now.categoryId !== before.categoryId) change.categoryId = now.categoryId;
  if (now.industryId !== before.industryId) change.industryId = now.industryId;
  if (now.labels.join(",") !== before.labels.join(",")) change.labels = now.labels.join(",");
  if (now.visibility !== before.visibility) change.visibility = now.visibility;
  if (now.commentsAllowed !== before.commentsAllowed) change.commentsAllowed = now.commentsAllowed;
  if (now.downloadAllowed !== before.downloadAllowed) change.downloadAllowed = now.downloadAllowed;
  if (now.scene !== before.scene) change.scene = now.scene;
  return change;
}

export type Problems = Partial<Record<keyof Values, string>>;

/** Errors of the input; `whole` also checks what is required for submission. */
export function problemsOf(values: Values, whole: boolean): Problems {
  const problems: Problems = {};
  const name = lengthOf(values.name);
  if (name === 0) problems.name = "请填写作品名称";
  else if (name > MOST.name) problems.name = `名称最多 ${MOST.name} 个字符，现在有 ${name} 个`;
  const description = lengthOf(values.description);
  if (description > MOST.description)
    problems.description = `介绍最多 ${MOST.description} 个字符，现在有 ${description} 个`;
  if (whole && !values.categoryId) problems.categoryId = "请选择分类";
  if (whole && values.type === 2 && !values.industryId) problems.industryId = "客户案例请选择行业";
  return problems;
}

/** Cleans a label: without commas, which separate labels in the call. Empty if nothing is left. */
export function cleanLabel(text: string): string {
  const label = text.replace(/[,，]/g, "").trim();
  return [...label].slice(0, MOST.label).join("");
}
