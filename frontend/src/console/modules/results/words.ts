import type { ProcessResultFeedbackAverage } from "../../api/generated/process";
import type { Word } from "../../kit/choices";

export const SERVICES: readonly Word[] = [
  { value: "lightweight", text: "轻量化" },
  { value: "convert", text: "格式转换" },
  { value: "tile", text: "三维瓦片" },
  { value: "amrt", text: "AMRT 转换" },
  { value: "offline", text: "离线展示" },
];

export const STARS: readonly Word[] = [1, 2, 3, 4, 5].map((stars) => ({
  value: String(stars),
  text: `${stars} 星`,
}));

export const ENDS: readonly Word[] = [
  { value: "done", text: "已完成", tone: "success" },
  { value: "failed", text: "失败", tone: "danger" },
];

/** One decimal; a dash without ratings. */
export const average = ({ stars, count }: ProcessResultFeedbackAverage): string =>
  count > 0 ? (stars / count).toFixed(1) : "—";
