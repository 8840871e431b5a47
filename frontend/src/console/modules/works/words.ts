import type { WorksManagedCategory } from "../../api/generated/works";
import type { Word } from "../../kit/choices";

export const STATES: readonly Word[] = [
  { value: "draft", text: "草稿" },
  { value: "review", text: "待审核", tone: "warning" },
  { value: "refused", text: "未通过", tone: "danger" },
  { value: "published", text: "展示中", tone: "success" },
  { value: "withdrawn", text: "已撤下" },
  { value: "hidden", text: "平台隐藏", tone: "danger" },
];

export const EDIT_STATES: readonly Word[] = [
  { value: "", text: "无修改" },
  { value: "editing", text: "作者修改中" },
  { value: "review", text: "修改待审核", tone: "warning" },
  { value: "refused", text: "修改未通过", tone: "danger" },
];

export const TYPES: readonly Word[] = [
  { value: "0", text: "单体模型" },
  { value: "1", text: "完整场景" },
  { value: "2", text: "客户案例" },
  { value: "3", text: "单体模型" },
];

export const VISIBILITIES: readonly Word[] = [
  { value: "public", text: "公开" },
  { value: "unlisted", text: "不列出" },
  { value: "private", text: "私密" },
];

export const ACTIONS: readonly Word[] = [
  { value: "submitted", text: "提交审核" },
  { value: "approved", text: "审核通过" },
  { value: "refused", text: "审核拒绝" },
  { value: "withdrawn", text: "作者撤回或撤下" },
  { value: "relisted", text: "作者重新展示" },
  { value: "hidden", text: "平台隐藏" },
  { value: "restored", text: "平台恢复" },
];

export const REASONS: readonly Word[] = [
  { value: "copyright", text: "侵犯版权" },
  { value: "illegal", text: "违法违规" },
  { value: "vulgar", text: "低俗内容" },
  { value: "spam", text: "广告骚扰" },
  { value: "other", text: "其他" },
];

export const COMMENT_STATES: readonly Word[] = [
  { value: "shown", text: "显示中", tone: "success" },
  { value: "hidden", text: "已隐藏", tone: "danger" },
  { value: "deleted", text: "作者已删除" },
];

export const KINDS: readonly Word[] = [
  { value: "category", text: "分类" },
  { value: "industry", text: "行业" },
];

export const APPROVALS: readonly string[] = ["内容完整，资料属实"];
export const REFUSALS: readonly string[] = [
  "名称或介绍与模型内容不符，请修改",
  "分类或行业不正确，请重新选择",
  "涉嫌使用他人作品，请提供授权说明",
  "含有不允许发布的内容",
];
export const HIDINGS: readonly string[] = ["收到侵权投诉，核实期间隐藏", "含有不允许发布的内容"];
export const RESTORATIONS: readonly string[] = ["投诉不成立", "作者已改正"];
export const COMMENT_HIDINGS: readonly string[] = [
  "含有辱骂或人身攻击",
  "与作品无关的广告",
  "含有不允许发布的内容",
];
export const DISMISSALS: readonly string[] = ["核实后没有违规"];

export const pathOf = (worksId: string): string => `/works/works/${encodeURIComponent(worksId)}`;

/** Categories of one kind, in order. */
export function ofKind(all: readonly WorksManagedCategory[], kind: string): readonly WorksManagedCategory[] {
  return all
    .filter((one) => one.kind === kind)
    .sort((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1));
}
