import { z } from "zod";
import type { WorksShare } from "@/calls/works";
import { withoutEval } from "@/lib/zod";
import type { StatusTone } from "@/ui/StatusTag";

withoutEval();

export const DAY_MS = 86_400_000;

const triple = z.tuple([z.number(), z.number(), z.number()]);
const options = z.object({
  autostart: z.boolean().catch(false),
  tools: z.array(z.string()).optional().catch(undefined),
  background: z.string().optional().catch(undefined),
  start: z.object({ position: triple, target: triple }).optional().catch(undefined),
  width: z.number().catch(0),
  height: z.number().catch(0),
});

export type Options = z.infer<typeof options>;

export const TOOLS = [
  { id: "reset", text: "复位" },
  { id: "animation", text: "播放动画" },
  { id: "wireframe", text: "线框" },
  { id: "screenshot", text: "保存截图" },
  { id: "fullscreen", text: "全屏" },
] as const;

export const BACKGROUNDS = [
  { value: "", text: "与作品相同" },
  { value: "#0b1020", text: "深蓝" },
  { value: "#1b2130", text: "石墨" },
  { value: "#eef1f4", text: "浅灰" },
  { value: "#ffffff", text: "白" },
] as const;

/** Days from now; `keep`: unchanged, 0: unlimited. */
export const ENDS = [
  { value: "1", text: "1 天" },
  { value: "3", text: "3 天" },
  { value: "7", text: "7 天" },
  { value: "30", text: "30 天" },
  { value: "0", text: "不限" },
] as const;

/** Time left of an existing share's maximum; 0: unlimited. The free edition counts from its creation. */
export const leftOf = (longest: number, share: WorksShare, now: number): number =>
  longest && Math.max(1, share.createdAt + longest - now);

/** `longest`: maximum of the free edition, in milliseconds; 0: unlimited. */
export const endsWithin = (longest: number) =>
  ENDS.filter(({ value }) => longest === 0 || (value !== "0" && Number(value) * DAY_MS <= longest));

export interface Values {
  /** undefined: unchanged */
  password: string | undefined;
  end: string;
  maxViews: string;
  domains: string;
  options: Options;
}

export function readOptions(text: string): Options {
  try {
    return options.parse(text ? JSON.parse(text) : {});
  } catch {
    return options.parse({});
  }
}

export const fresh = (longest: number): Values => ({
  password: "",
  end: endsWithin(longest).at(-1)?.value ?? "1",
  maxViews: "",
  domains: "",
  options: { ...readOptions(""), height: 480 },
});

export const valuesOf = (share: WorksShare): Values => ({
  password: undefined,
  end: "keep",
  maxViews: share.maxViews ? String(share.maxViews) : "",
  domains: (share.domains ?? []).join("\n"),
  options: readOptions(share.options),
});

export type Problems = Partial<Record<"password" | "maxViews" | "domains" | "width" | "height", string>>;

export function problemsOf(values: Values): Problems {
  const problems: Problems = {};
  const length = [...(values.password ?? "")].length;
  if (length > 0 && (length < 4 || length > 32)) problems.password = "密码为 4 到 32 个字符";
  if (values.maxViews !== "" && !/^[1-9]\d{0,5}$|^1000000$/.test(values.maxViews))
    problems.maxViews = "请填写 1 到 1000000 之间的数";
  if (hostsOf(values.domains).length > 20) problems.domains = "最多填写 20 个域名";
  const { width, height } = values.options;
  if (width !== 0 && (width < 160 || width > 4096)) problems.width = "请填写 160 到 4096，或留空";
  if (height !== 0 && (height < 120 || height > 4096)) problems.height = "请填写 120 到 4096，或留空";
  return problems;
}

const hostsOf = (text: string): string[] => text.split(/[\s,，]+/).filter(Boolean);

/** The request of a form. */
export function formOf({ password, end, maxViews, domains, options: chosen }: Values, now: number) {
  const ends = end === "0" ? 0 : now + Number(end) * DAY_MS;
  return {
    ...(password !== undefined && { password }),
    ...(end !== "keep" && { endsAt: ends }),
    maxViews: Number(maxViews),
    domains: hostsOf(domains).join(","),
    options: JSON.stringify(chosen),
  };
}

const STATES: Readonly<Record<string, { text: string; tone: StatusTone }>> = {
  open: { text: "有效", tone: "success" },
  ended: { text: "已结束", tone: "neutral" },
  revoked: { text: "已撤销", tone: "neutral" },
  closed: { text: "作品未在展示", tone: "warning" },
};

export const stateOf = (state: string) => STATES[state] ?? { text: state, tone: "neutral" as const };

export const linkOf = (embedUrl: string, shareId: string): string => `${embedUrl}/e/${shareId}`;

const attribute = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");

/** To be copied into a page. */
export function frameCode(url: string, name: string, { width, height }: Options): string {
  const size = `width="${width || "100%"}" height="${height || 480}"`;
  return `<iframe src="${url}" title="${attribute(name)}" ${size} style="border:0" allow="fullscreen" referrerpolicy="strict-origin-when-cross-origin" loading="lazy"></iframe>`;
}

export function scriptCode(embedUrl: string, url: string, name: string, { width, height }: Options): string {
  const size = `width:${width ? `${width}px` : "100%"};height:${height || 480}px`;
  return [
    `<div id="xuanlan" style="${size}"></div>`,
    `<script src="${embedUrl}/embed/v1.js"></script>`,
    "<script>",
    `  const viewer = Xuanlan.embed(document.getElementById("xuanlan"), ${JSON.stringify({ url, title: name }).replaceAll("<", "\\u003c")});`,
    '  viewer.on("ready", async () => console.log(await viewer.call("camera.get")));',
    "</script>",
  ].join("\n");
}
