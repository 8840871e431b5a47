/** Chinese names of the services. */
export const SERVICES: Readonly<Record<string, string>> = {
  analytics: "访问统计",
  auth: "账号与认证",
  content: "内容",
  gateway: "网关",
  matchup: "需求撮合",
  objectstore: "文件存储",
  order: "订单",
  payment: "支付",
  personal: "用户中心",
  process: "模型处理",
  sandbox: "测试沙箱",
  transaction: "模型商城",
  works: "作品",
};

/** The Chinese name of a service; its own name if there is no other. */
export const serviceName = (service: string): string => SERVICES[service] ?? service;
