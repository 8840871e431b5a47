import { area } from "./area";

/** The signed-in person's account. */
const { page } = area({ layout: "personal", access: "login" });

export const accountPaths = [
  page("/workbench/account", "个人中心"),
  page("/workbench/account/accoInforIndex", "账户信息"),
  page("/workbench/account/accountManagement", "账号管理"),
  page("/workbench/account/accountRecharge", "账户充值"),
  page("/workbench/account/accountWithdrawals", "收入提现"),
  page("/workbench/account/myCollection", "我的收藏"),
  page("/workbench/account/myConcern", "我的关注"),
  page("/workbench/account/myCoupon", "我的优惠券"),
  page("/workbench/account/myExtension", "我的推广"),
  page("/workbench/account/mySetMeal", "我的套餐"),
  page("/workbench/account/vipPackage", "会员套餐"),
] as const;
