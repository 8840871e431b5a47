/** Message groups with the names of their pages. `empty`: text of an empty page. */
export const GROUPS = [
  { id: "announcement", text: "公告", empty: "还没有公告" },
  { id: "systemInformation", text: "系统消息", empty: "还没有系统消息" },
  { id: "modelProcessing", text: "模型处理", empty: "还没有模型处理消息" },
  { id: "modelTrading", text: "模型交易", empty: "还没有模型交易消息" },
  { id: "modelApply", text: "模型申请", empty: "还没有模型申请消息" },
  { id: "attention", text: "关注", empty: "还没有关注消息" },
  { id: "commentsAndReplies", text: "评论与回复", empty: "还没有评论与回复" },
  { id: "comments", text: "评论", empty: "还没有评论消息" },
  { id: "replies", text: "回复", empty: "还没有回复消息" },
] as const;

export const ANNOUNCEMENT = "announcement";
/** Address of a group's page; empty: all messages. */
export const pageOf = (group: string) => `/workbench/myMessage${group && `/${group}`}`;
