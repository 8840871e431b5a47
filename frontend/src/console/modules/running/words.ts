/** Names of the services and of the parts that they need. */
const NAMES: Readonly<Record<string, string>> = {
  analytics: "访问统计",
  auth: "账号与认证",
  bus: "消息总线",
  cache: "缓存",
  content: "内容",
  database: "数据库",
  disk: "磁盘",
  gateway: "网关",
  matchup: "需求撮合",
  objectstore: "文件存储",
  order: "订单",
  payment: "支付",
  personal: "用户中心",
  process: "模型处理",
  transaction: "模型商城",
  works: "作品",
};

/** The Chinese name with the technical one beside it; the technical one alone if there is no other. */
export const partName = (name: string): string => {
  const known = NAMES[name.split(/[.:-]/)[0] ?? ""];
  return known ? `${known}（${name}）` : name;
};
