import type { Word } from "../../kit/choices";

export const SOURCES: readonly Word[] = [
  { value: "search", text: "搜索引擎" },
  { value: "link", text: "外部链接" },
  { value: "direct", text: "直接访问" },
];

export const STEPS: Readonly<Record<string, string>> = {
  registered: "注册",
  uploaded: "上传模型",
  checked: "通过体检",
  lightened: "完成轻量化",
  paid: "支付订单",
};

export interface Metric {
  metric: string;
  title: string;
  /** Label of a value without a name. */
  nameless: string;
  words?: readonly Word[];
  hint: string;
}

export const METRICS: readonly Metric[] = [
  { metric: "source", title: "访问来源", nameless: "未知", words: SOURCES, hint: "还没有访问。" },
  { metric: "host", title: "来源网站", nameless: "直接访问", hint: "还没有访问。" },
  { metric: "entrance", title: "入口页面", nameless: "未知", hint: "还没有访问。" },
  { metric: "page", title: "浏览页面", nameless: "未知", hint: "还没有页面浏览。" },
  { metric: "support", title: "工具栏与客服点击", nameless: "未命名", hint: "还没有人点击右侧工具栏。" },
  { metric: "dap", title: "推广渠道", nameless: "无推广参数", hint: "还没有带推广参数的访问。" },
];
