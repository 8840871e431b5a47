import type { StatusTone } from "@/ui/StatusTag";

/** Names of the income states. */
export const INCOME_STATES: Record<string, { text: string; tone: StatusTone }> = {
  pending: { text: "待结算", tone: "running" },
  matured: { text: "已结算", tone: "success" },
  reversed: { text: "已冲回", tone: "neutral" },
};
