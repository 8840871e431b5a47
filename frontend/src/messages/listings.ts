/** What happened to a listing, as its maker reads it; by `action` of a record. */
export const LISTING_ACTIONS = {
  submitted: "提交审核",
  takenBack: "撤回审核",
  approved: "审核通过",
  changes: "需要修改",
  refused: "未通过审核",
  discarded: "放弃修改",
  withdrawn: "撤回或下架",
  relisted: "重新上架",
  takendown: "被平台下架",
  restored: "平台恢复上架",
  cleared: "平台恢复（下架无依据）",
  removed: "被平台删除",
  failed: "展示图制作失败",
} as const;

/** Only what was approved before is taken off the mall; of anything else the maker takes back what is under review. */
export const isTakenOff = (at: number, records: readonly { action: string; at: number }[]): boolean =>
  records.some((record) => record.action === "approved" && record.at <= at);

export type ListingAction = keyof typeof LISTING_ACTIONS;
