/** Names of the fields that entries of the log hold, by the last part of their path. */
const FIELDS: Readonly<Record<string, string>> = {
  actions: "动作",
  aggregate: "对象",
  amount: "金额",
  answer: "回复",
  by: "操作人",
  category: "分类",
  categoryId: "分类",
  cause: "原因",
  claimedBy: "领取人",
  code: "编码",
  content: "内容",
  endedSessions: "结束的会话数",
  entries: "条数",
  expiresAt: "到期时间",
  from: "起",
  frozenUntil: "冻结至",
  hidden: "隐藏",
  id: "编号",
  invitee: "被邀请人",
  inviter: "邀请人",
  key: "事件",
  kind: "种类",
  linkedAt: "绑定时间",
  loginId: "用户",
  message: "消息",
  name: "名称",
  note: "备注",
  operator: "操作人",
  order: "次序",
  parentId: "上级",
  part: "部分",
  period: "周期",
  permissions: "权限",
  provider: "第三方平台",
  reason: "原因",
  revision: "版本",
  roles: "角色",
  secondFactorAt: "两步验证开启时间",
  slug: "地址名",
  state: "状态",
  summary: "摘要",
  tags: "标签",
  title: "标题",
  to: "至",
  until: "截止",
  value: "值",
  word: "词",
};

/** The Chinese name of a field; undefined for an unknown one. */
export const fieldName = (path: string): string | undefined => FIELDS[path.split(".").at(-1) ?? ""];

/** Whether a number under this name is a time, in milliseconds since 1970; 0 is none. */
export const isMoment = (path: string, value: number): boolean =>
  /(?:At|Until|^from|^to|^until)$/.test(path.split(".").at(-1) ?? "") &&
  (value === 0 || (value > 1e12 && value < 1e14));
