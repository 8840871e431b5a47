import type { StatusTone } from "@/ui/StatusTag";

export const fileStatuses: Record<string, { text: string; tone: StatusTone }> = {
  checking: { text: "体检中", tone: "running" },
  ready: { text: "可用", tone: "success" },
  failed: { text: "体检未通过", tone: "danger" },
};

export function fileStatus(status: string): { text: string; tone: StatusTone } {
  return fileStatuses[status] ?? { text: status || "未知", tone: "neutral" };
}

export function dateText(time: number): string {
  if (!time) return "—";
  const d = new Date(time);
  const two = (n: number) => String(n).padStart(2, "0");
  return `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())} ${two(d.getHours())}:${two(d.getMinutes())}`;
}
