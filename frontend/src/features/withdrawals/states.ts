import type { StatusTone } from "@/ui/StatusTag";

/** Names of the withdrawal states. */
export const WITHDRAWAL_STATES: Record<string, { text: string; tone: StatusTone }> = {
  requested: { text: "待审核", tone: "running" },
  checked: { text: "审核中", tone: "running" },
  approved: { text: "待打款", tone: "running" },
  paying: { text: "打款中", tone: "running" },
  paid: { text: "已打款", tone: "success" },
  refused: { text: "未通过", tone: "danger" },
  failed: { text: "打款失败", tone: "danger" },
  cancelled: { text: "已撤回", tone: "neutral" },
};
