import { area } from "./area";

/** Models on offer, and paying. */
const { page, soon } = area({ layout: "default", access: "public" });

export const mallPaths = [
  page("/transaction", "模型商城"),
  page("/transaction/author", "作者主页"),
  page("/transaction/detail", "模型详情"),
  page("/transaction/shoppingCart", "购物车"),
  page("/transaction/search/:keyWord?", "搜索模型"),
  soon("/activity/blindBox", "模型盲盒", { layout: "operation" }),
  page("/common/pay", "支付", { layout: "simple2" }),
  page("/common/recharge", "充值", { layout: "simple2" }),
] as const;
