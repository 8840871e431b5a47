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
  objects: "对象存储",
  objectstore: "文件存储",
  order: "订单",
  payment: "支付",
  personal: "用户中心",
  process: "模型处理",
  sandbox: "测试沙箱",
  transaction: "模型商城",
  works: "作品",
};

const known = (name: string): string | undefined => NAMES[name.split(/[.:-]/)[0] ?? ""];

/** The Chinese name with the technical one beside it; the technical one alone if there is no other. */
export const partName = (name: string): string => (known(name) ? `${known(name)}（${name}）` : name);

/** The Chinese name alone, for sentences. */
export const shortName = (name: string): string => known(name) ?? name;

/** What is wrong with a part that some processes do not reach. */
export const partProblem = (name: string): string => (name === "disk" ? "空间不足" : "连接不上");
