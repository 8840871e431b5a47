import type { AuthAuditItem } from "../../api/generated/auth";

/** The call of what was done on the server's command line, where no operator is signed in. */
export const COMMAND = "command";

/** Whether an id names a call, not a permission. */
export const isCall = (id: string): boolean => id === COMMAND || /^K\d+$/.test(id);

/** Services whose acts are in the log. */
export const AUDITED = [
  "analytics",
  "auth",
  "content",
  "matchup",
  "payment",
  "personal",
  "process",
  "transaction",
  "works",
] as const;

/** Commands, as the log names them. */
const COMMANDS: Readonly<Record<string, string>> = {
  "audit seal": "为审计链加封",
  certification: "处理认证",
  "chat answer": "回复会话",
  "chat close": "结束会话",
  "feedback answer": "回复反馈",
  "feedback close": "关闭反馈",
  invitation: "处理邀请",
  "operator add": "添加运营人员",
  "operator reset": "重置运营人员",
  "picture decide": "审核图片",
  "publication back": "恢复发布内容的旧版本",
  "publication publish": "发布内容",
  "publication withdraw": "撤下发布内容",
  "text decide": "审核文本",
  "word put": "添加或修改词语",
  "word remove": "移除词语",
};

/** Some commands are followed, in brackets, by who gave them. */
const parts = (named: string): [string, string] => {
  const [, command = named, by = ""] = /^(.+?)( \(.*\))$/.exec(named) ?? [];
  return [command, by];
};

/** Who acted: an operator, or a command. */
export function operatorOf({ call, operator }: Pick<AuthAuditItem, "call" | "operator">): string {
  if (call !== COMMAND) return operator;
  const [command, by] = parts(operator);
  return `${COMMANDS[command] ?? command}${by}`;
}

/** As the log names whom `operatorOf` shows. */
export function operatorNamed(shown: string): string {
  const [name, by] = parts(shown);
  const command = Object.entries(COMMANDS).find(([, text]) => text === name)?.[0];
  return command ? `${command}${by}` : shown;
}
