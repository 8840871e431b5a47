/**
 * The colours, sizes and animations of the product. One set for light backgrounds, one for dark stages
 * (hero, viewer, editor). Components read these through the MUI theme, or directly when drawing.
 */
export interface Tokens {
  ground: string;
  card: string;
  text: string;
  textSecond: string;
  textThird: string;
  line: string;
  primary: string;
  primaryHover: string;
  primarySoft: string;
  accent: string;
  /** the accent for small text: dark enough to read */
  accentText: string;
  gold: string;
  goldSoft: string;
  success: string;
  warning: string;
  danger: string;
}

export const light: Tokens = {
  ground: "#F7F8FA",
  card: "#FFFFFF",
  text: "#1B2130",
  textSecond: "#5B6472",
  textThird: "#8C94A3",
  line: "#E4E7ED",
  primary: "#1F5EFF",
  primaryHover: "#1749D1",
  primarySoft: "#EAF0FF",
  accent: "#0FA3A3",
  accentText: "#0A7373",
  gold: "#B8862B",
  goldSoft: "#FFF7E6",
  success: "#16A34A",
  warning: "#D97706",
  danger: "#DC2626",
};

export const dark: Tokens = {
  ground: "#0B1020",
  card: "#131A2E",
  text: "#E8ECF6",
  textSecond: "#A3ADC2",
  textThird: "#7A86A0",
  line: "#243049",
  primary: "#5B8CFF",
  primaryHover: "#7BA3FF",
  primarySoft: "#1A2747",
  accent: "#35C9C3",
  accentText: "#35C9C3",
  gold: "#E3B75E",
  goldSoft: "#2B2414",
  success: "#4ADE80",
  warning: "#FBBF24",
  danger: "#F87171",
};

export const radius = { control: 4, card: 8 } as const;

/** The only elevation, for elements that float above the page. */
export const floatShadow = "0 8px 24px rgba(16, 24, 40, 0.08)";

export const containerWidth = 1200;
export const headerHeight = 72;
export const workbenchRailWidth = 208;

export const motion = { fast: 120, normal: 160, slow: 200, easing: "cubic-bezier(0.16, 1, 0.3, 1)" } as const;

/**
 * Linux' font first: there each missing family costs a lookup in the first layout, which takes twice as long behind the others;
 * elsewhere it is not installed.
 */
export const fontFamily =
  '"Noto Sans CJK SC", -apple-system, BlinkMacSystemFont, "PingFang SC", "Microsoft YaHei", "Noto Sans SC", "Source Han Sans SC", "Segoe UI", sans-serif';

export const monoFamily = '"SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace';
