import type { UploadRules } from "@/features/uploader";

/** Feedback types by their number in the contract. */
export const FEEDBACK_TYPES = [
  { value: 0, text: "功能异常" },
  { value: 1, text: "产品建议" },
  { value: 2, text: "新增需求" },
] as const;

/** Source of the feedback: this site. */
export const FEEDBACK_END = 0;
export const MAX_CONTENT = 2000;

// Only operators see them; the server checks them on submission.
export const PICTURES: UploadRules = { kind: "picture", limitMb: 2, most: 5, unscanned: true };
export const ANNEX: UploadRules = { kind: "zip", limitMb: 20, most: 1 };

export const messages = {
  typeRequired: "请选择反馈类型",
  contentRequired: "请输入您的问题与建议",
  contentLong: "问题与建议最多 2000 个字符",
  uploading: "文件还在上传，请稍候",
  submitted: "提交成功",
} as const;

export const STATES: Readonly<Record<string, string>> = {
  open: "处理中",
  answered: "已回复",
  closed: "已关闭",
};

export const typeText = (type: number): string =>
  FEEDBACK_TYPES.find(({ value }) => value === type)?.text ?? "其他";
