import type { Word } from "../../kit/choices";

export const STATES: readonly Word[] = [
  { value: "queued", text: "排队中", tone: "info" },
  { value: "running", text: "处理中", tone: "running" },
  { value: "done", text: "已完成", tone: "success" },
  { value: "failed", text: "失败", tone: "danger" },
  { value: "cancelled", text: "已取消", tone: "neutral" },
];

export const KINDS: readonly Word[] = [
  { value: "check", text: "模型体检" },
  { value: "lightweight", text: "轻量化" },
  { value: "convert", text: "格式转换" },
  { value: "tile", text: "三维瓦片" },
  { value: "amrt", text: "AMRT 转换" },
  { value: "offline", text: "离线展示" },
  { value: "showcase", text: "商品展示" },
  { value: "thumbnail", text: "缩略图" },
  { value: "turntable", text: "旋转预览" },
];

export const jobPath = (id: string): string => `/jobs/${encodeURIComponent(id)}`;
