/** Texts of the wizard that the specification gives only in English, or not at all. */
export const uploadTexts = {
  background: "已转入后台处理，完成后可在“我的上传”查看结果",
  uploadGoesOn: "上传在后台继续，请保持网页打开",
  offline: "网络已断开，恢复后自动继续",
  draining: "已暂停，正在传完已开始的分片",
  goToUploads: "前往我的上传",
  goToSourceFiles: "前往我的源文件",
  nameEmpty: "模型名称不能为空",
  nameLength: "长度在 1 到 15 个字符",
  nameRefused: (message: string) => `模型名称:${message}`,
  formIncomplete: "请先完善表单信息",
} as const;

/** The error; undefined if the name is valid. */
export function judgeModelName(name: string): string | undefined {
  const trimmed = name.trim();
  if (trimmed === "") return uploadTexts.nameEmpty;
  return Array.from(trimmed).length > 15 ? uploadTexts.nameLength : undefined;
}

/** Remaining seconds as readable text. */
export function formatRemaining(seconds: number | undefined): string {
  if (seconds === undefined) return "正在估算剩余时间";
  if (seconds < 1) return "即将完成";
  if (seconds < 60) return `剩余 ${seconds} 秒`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `剩余 ${minutes} 分 ${seconds % 60} 秒`;
  return `剩余 ${Math.floor(minutes / 60)} 小时 ${minutes % 60} 分`;
}
