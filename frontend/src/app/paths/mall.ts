import { area } from "./area";

/** Models on offer, works on show, and paying. */
const { page, soon } = area({ layout: "default", access: "public" });

export const mallPaths = [
  soon("/production", "作品"),
  soon("/production/classify", "作品分类"),
  soon("/production/detail", "作品详情"),
  soon("/transaction", "模型商城"),
  soon("/transaction/author", "作者主页"),
  soon("/transaction/detail", "模型详情"),
  soon("/transaction/shoppingCart", "购物车"),
  soon("/transaction/search/:keyWord?", "搜索模型"),
  soon("/activity/blindBox", "模型盲盒", { layout: "operation" }),
  page("/common/pay", "支付", { layout: "simple2" }),
  page("/common/recharge", "充值", { layout: "simple2" }),
] as const;
