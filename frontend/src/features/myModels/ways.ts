/** How the user got a model of the mall, by `TransactionMyModel.way`. */
export const WAYS: Readonly<Record<string, string>> = {
  paid: "购买",
  memberFree: "会员次数",
  free: "免费领取",
  package: "套餐",
  box: "盲盒",
  operator: "平台赠送",
};
