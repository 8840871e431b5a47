/** Longer nicknames are cut to this many characters. */
const NICKNAME_SHOWN = 5;

function cut(nickname: string, mark: string): string {
  const characters = Array.from(nickname);
  if (characters.length <= NICKNAME_SHOWN) return nickname;
  return characters.slice(0, NICKNAME_SHOWN).join("") + mark;
}

/** For the avatar dropdown: five characters and three asterisks. */
export function dropdownNickname(nickname: string): string {
  return cut(nickname, "***");
}

/** For the personal centre: five characters and an ellipsis. */
export function personalNickname(nickname: string): string {
  return cut(nickname, "…");
}

export interface RealName {
  text: string;
  tone: "neutral" | "running" | "success" | "danger";
  /** The user's next action, if any. */
  action?: { text: string; to: string };
}

/**
 * Real-name status: 0 under review, 1 verified (enterprise if a company is on file, else personal), 2 rejected, 3 not verified;
 * any other value shows as not verified.
 */
export function realNameOf(checkStatus: unknown, hasCompany: boolean): RealName {
  const status =
    checkStatus === null || checkStatus === undefined || checkStatus === "" ? -1 : Number(checkStatus);
  if (status === 0) return { text: "实名审核中", tone: "running" };
  if (status === 1) {
    return { text: hasCompany ? "已企业认证" : "已个人认证", tone: "success" };
  }
  if (status === 2) {
    return {
      text: "实名未通过",
      tone: "danger",
      action: { text: "查看原因", to: "/workbench/information" },
    };
  }
  if (status === 3) {
    return {
      text: "未实名",
      tone: "neutral",
      action: { text: "立即认证", to: "/workbench/information?typeShow=1" },
    };
  }
  return { text: "未实名", tone: "neutral" };
}
