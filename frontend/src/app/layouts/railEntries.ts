import type { Address } from "../paths";

/** The left rails, as data. `icon` names a drawing of RailIcon. */
export interface RailEntry {
  text: string;
  to: Address;
  icon: RailIconName;
  /** Active only on the exact address. */
  end?: boolean;
}

export type RailIconName =
  | "home"
  | "upload"
  | "service"
  | "result"
  | "model"
  | "order"
  | "heart"
  | "message"
  | "account"
  | "coin"
  | "coupon"
  | "share"
  | "gear"
  | "people"
  | "box"
  | "cart"
  | "shop"
  | "page"
  | "record"
  | "work"
  | "comment";

export interface RailGroup {
  title?: string;
  entries: readonly RailEntry[];
}

export const WORKBENCH_RAIL: readonly RailGroup[] = [
  { entries: [{ text: "工作台", to: "/workbench", icon: "home", end: true }] },
  {
    title: "模型处理",
    entries: [
      { text: "我的上传", to: "/workbench/myUpload", icon: "upload" },
      { text: "模型服务", to: "/workbench/service", icon: "service" },
      { text: "服务结果", to: "/workbench/serviceResult", icon: "result" },
    ],
  },
  {
    title: "我的",
    entries: [
      { text: "我的模型", to: "/workbench/myModel", icon: "model" },
      { text: "我的作品", to: "/workbench/myWorks", icon: "work" },
      { text: "我的收藏", to: "/workbench/modelFavorites", icon: "heart" },
      { text: "购物车", to: "/workbench/myShoppCart", icon: "cart" },
      { text: "我的订单", to: "/workbench/myOrder", icon: "order" },
      { text: "我的消息", to: "/workbench/myMessage", icon: "message" },
      { text: "我的评论", to: "/workbench/myComment", icon: "comment" },
      { text: "我的评价", to: "/workbench/transaction/myRatings", icon: "record" },
      { text: "个人中心", to: "/workbench/account/accoInforIndex", icon: "account" },
    ],
  },
];

/** Of the workbench, for makers. */
export const MODELER_RAIL: RailGroup = {
  title: "模型师中心",
  entries: [
    { text: "我的上架", to: "/workbench/modelMaker", icon: "shop", end: true },
    { text: "模型师主页", to: "/workbench/modelMaker/homePage", icon: "page" },
    { text: "审核记录", to: "/workbench/modelMaker/records", icon: "record" },
    { text: "用户订单", to: "/workbench/modelMaker/order", icon: "order" },
    { text: "主页设置", to: "/workbench/modelMaker/setting", icon: "gear" },
  ],
};

export const PERSONAL_RAIL: readonly RailGroup[] = [
  { entries: [{ text: "账户信息", to: "/workbench/account/accoInforIndex", icon: "account" }] },
  {
    title: "资产",
    entries: [
      { text: "账户充值", to: "/workbench/account/accountRecharge", icon: "coin" },
      { text: "我的收入", to: "/workbench/myIncome", icon: "coin" },
      { text: "收入提现", to: "/workbench/account/accountWithdrawals", icon: "coin" },
      { text: "我的优惠券", to: "/workbench/account/myCoupon", icon: "coupon" },
      { text: "我的套餐", to: "/workbench/account/mySetMeal", icon: "box" },
    ],
  },
  {
    title: "账号",
    entries: [
      { text: "我的关注", to: "/workbench/account/myConcern", icon: "people" },
      { text: "我的推广", to: "/workbench/account/myExtension", icon: "share" },
      { text: "账号管理", to: "/workbench/account/accountManagement", icon: "gear" },
      { text: "返回工作台", to: "/workbench", icon: "home", end: true },
    ],
  },
];

export const PUBLISH_RAIL: readonly RailGroup[] = [
  {
    title: "发布中心",
    entries: [
      { text: "概览", to: "/publishCenter", icon: "model", end: true },
      { text: "我的源文件", to: "/publishCenter/mySourceFiles", icon: "upload" },
      { text: "已处理源文件", to: "/publishCenter/procedSourceFile", icon: "result" },
      { text: "待发布模型", to: "/publishCenter/toBeReleased", icon: "box" },
      { text: "返回工作台", to: "/workbench", icon: "home", end: true },
    ],
  },
];
