import type { StatusTone } from "@/ui/StatusTag";

export const resultStatuses: Record<string, { text: string; tone: StatusTone }> = {
  queued: { text: "排队中", tone: "neutral" },
  running: { text: "处理中", tone: "running" },
  done: { text: "已完成", tone: "success" },
  failed: { text: "失败", tone: "danger" },
};

export function resultStatus(status: string): { text: string; tone: StatusTone } {
  return resultStatuses[status] ?? { text: status || "未知", tone: "neutral" };
}

const stages: Record<string, string> = {
  read: "读取模型",
  check: "检查模型",
  simplify: "简化网格",
  textures: "压缩贴图",
  write: "写出结果",
};

export function stageText(stage: string): string {
  return stages[stage] ?? stage;
}

export const isOpen = (status: string): boolean => status === "queued" || status === "running";

export const resultPath = (resultId: string): string =>
  `/workbench/serviceResult/details?resultId=${encodeURIComponent(resultId)}`;
