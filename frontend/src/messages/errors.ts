export const errorMessages = {
  signIn: "请登录",
  network: "网络连接失败，请检查网络后重试",
  unreadable: (status: number) => `服务暂时没有应答（${status}），请稍后再试`,
  configFailed: "页面没有准备好",
  retry: "重试",
  home: "返回首页",
  notFoundTitle: "页面不存在",
  notFoundText: "您访问的页面不存在，地址可能有误，或者页面已经移走。",
  failedTitle: "页面出错了",
  chunkFailed: "页面加载失败，请检查网络后刷新",
  unknown: "发生了未知错误",
};
