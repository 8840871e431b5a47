/** States of an invitation, as shown to the inviter. */
export const INVITED_STATES = {
  pending: { text: "等待首个模型通过体检", tone: "neutral" },
  review: { text: "审核中", tone: "warning" },
  rewarded: { text: "已奖励", tone: "success" },
  limited: { text: "超出当月上限", tone: "neutral" },
  refused: { text: "未通过审核", tone: "danger" },
} as const;

export const invitedState = (state: string) =>
  INVITED_STATES[state as keyof typeof INVITED_STATES] ?? { text: state, tone: "neutral" as const };
