import Box from "@mui/material/Box";
import type { ReactNode } from "react";
import { READ_TITLES, WRITTEN_TITLES } from "@/facts/names";

export const CAPABILITIES = [
  {
    key: "check",
    title: "体检",
    head: "上传完就知道它好不好",
    points: [
      "数清三角面、顶点、材质、贴图与动画，量出包围盒和单位",
      "找出破面、缺图、退化面这类毛病，每一条都说清在哪里、怎么办",
      "按面数、贴图和毛病打分，满分 100，太重就给出轻量建议",
    ],
    to: "/helpCenter?id=report",
    action: "报告怎么看",
  },
  {
    key: "lighten",
    title: "轻量化",
    head: "减到想要的分量，看着还是它",
    points: [
      "按比例、按三角面数、按文件大小或按误差定目标，四选一",
      "贴图可以限定最长边，接缝和轮廓先受保护",
      "前后两个窗口同步转动，比过再下载",
    ],
    to: "/singleIightweight",
    action: "了解单模型轻量化",
  },
  {
    key: "convert",
    title: "格式转换",
    head: "从手里的格式，到对方要的格式",
    points: [
      `读入 ${READ_TITLES}，带贴图的打成 zip 或 rar 一起传`,
      `输出 ${WRITTEN_TITLES}；GLB 带走名称、材质与动画，STL 只带几何`,
      "原文件不动，每次转换的结果单独保存，随时再下载",
    ],
    to: "/formatConversion",
    action: "了解格式转换",
  },
  {
    key: "view",
    title: "在线查看",
    head: "打开网页就能转着看",
    points: [
      "物理材质与环境光照，线框、统计、动画播放、截图",
      "全屏查看，鼠标和触屏都能转、缩、平移",
      "链接带着您的登录状态，别人看不到您的文件",
    ],
    to: "/helpCenter?id=upload",
    action: "从上传开始",
  },
] as const;

export type CapabilityKey = (typeof CAPABILITIES)[number]["key"];

/** Window frame of the four drawings. Drawings show the shape of a screen, no figures. */
function Frame({ children }: { children: ReactNode }) {
  return (
    <Box
      aria-hidden="true"
      sx={{
        borderRadius: 2,
        border: 1,
        borderColor: "divider",
        backgroundColor: "background.paper",
        overflow: "hidden",
        "& svg": { display: "block", width: "100%", height: "auto" },
      }}
    >
      {children}
    </Box>
  );
}

const INK = "#1B2130";
const LINE = "#E4E7ED";
const SOFT = "#F1F4F9";
const BLUE = "#1F5EFF";
const TEAL = "#0FA3A3";

function cube(x: number, y: number, size: number, fills: readonly [string, string, string]): ReactNode {
  const w = size * 0.866;
  const h = size * 0.5;
  return (
    <g transform={`translate(${x} ${y})`}>
      <path d={`M0 ${-size}L${w} ${-h}L0 0L${-w} ${-h}Z`} fill={fills[0]} />
      <path d={`M${w} ${-h}V${h}L0 ${size}V0Z`} fill={fills[1]} />
      <path d={`M${-w} ${-h}V${h}L0 ${size}V0Z`} fill={fills[2]} />
    </g>
  );
}

function Wire({ x, y, size, n, stroke }: { x: number; y: number; size: number; n: number; stroke: string }) {
  const w = size * 0.866;
  const h = size * 0.5;
  const lines: string[] = [];
  for (let i = 0; i <= n; i += 1) {
    const t = i / n;
    lines.push(`M${-w + w * t} ${-h + h * t}v${size}`, `M${w - w * t} ${-h + h * t}v${size}`);
    lines.push(`M${-w} ${-h + size * t}L0 ${size * t}L${w} ${-h + size * t}`);
    lines.push(`M${-w + w * t} ${-h - h * t}l${w} ${h}`, `M${w - w * t} ${-h - h * t}l${-w} ${h}`);
    if (i < n) {
      for (let j = 0; j < n; j += 1) {
        const u = j / n;
        lines.push(`M${-w + w * t} ${-h + h * t + size * u}l${w / n} ${(h + size) / n}`);
        lines.push(`M${w * (t + 1 / n)} ${-h * (t + 1 / n) + size * u}l${-w / n} ${(h + size) / n}`);
      }
    }
  }
  return (
    <path transform={`translate(${x} ${y})`} d={lines.join("")} fill="none" stroke={stroke} strokeWidth="1" />
  );
}

function bar(x: number, y: number, width: number, fill: string, height = 8): ReactNode {
  return <rect x={x} y={y} width={width} height={height} rx={height / 2} fill={fill} />;
}

const DRAWINGS: Record<CapabilityKey, ReactNode> = {
  check: (
    <>
      <rect width="640" height="400" fill="#fff" />
      <rect x="0" y="0" width="300" height="400" fill={SOFT} />
      {cube(150, 200, 92, ["#8FB0FF", BLUE, "#1749D1"])}
      <circle cx="196" cy="168" r="40" fill="#fff" fillOpacity=".9" stroke={TEAL} strokeWidth="3" />
      <path
        d="M180 168l12 12 22-24"
        fill="none"
        stroke={TEAL}
        strokeWidth="5"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      {bar(332, 52, 96, INK, 12)}
      {[0, 1, 2, 3].map((row) => (
        <g key={row}>
          {bar(332, 100 + row * 34, 70 + (row % 2) * 26, "#A3ADC2")}
          {bar(520, 100 + row * 34, 76 - (row % 3) * 14, INK)}
          <path d={`M332 ${122 + row * 34}h276`} stroke={LINE} />
        </g>
      ))}
      {[
        ["#DC2626", 170],
        ["#D97706", 206],
        ["#16A34A", 142],
      ].map(([fill, width], row) => (
        <g key={fill}>
          <rect x="332" y={252 + row * 40} width="276" height="30" rx="4" fill={SOFT} />
          <circle cx="350" cy={267 + row * 40} r="5" fill={String(fill)} />
          {bar(368, 263 + row * 40, Number(width), "#5B6472")}
        </g>
      ))}
    </>
  ),
  lighten: (
    <>
      <rect width="320" height="400" fill="#131A2E" />
      <rect x="320" width="320" height="400" fill="#0B1020" />
      <Wire x={160} y={190} size={110} n={12} stroke="#5B8CFF" />
      <Wire x={480} y={190} size={110} n={4} stroke="#35C9C3" />
      <path d="M320 0v400" stroke="#fff" strokeOpacity=".7" strokeWidth="2" />
      <circle cx="320" cy="190" r="16" fill="#fff" />
      <path d="M314 185l-5 5 5 5M326 185l5 5-5 5" fill="none" stroke={INK} strokeWidth="2" />
      {bar(40, 352, 240, "#243049", 6)}
      {bar(40, 352, 240, "#5B8CFF", 6)}
      {bar(360, 352, 240, "#243049", 6)}
      {bar(360, 352, 62, "#35C9C3", 6)}
    </>
  ),
  convert: (
    <>
      <rect width="640" height="400" fill="#fff" />
      {["FBX", "OBJ", "STL", "PLY", "glTF"].map((name, row) => (
        <g key={name}>
          <rect x="48" y={40 + row * 66} width="120" height="48" rx="6" fill={SOFT} stroke={LINE} />
          <text x="108" y={70 + row * 66} textAnchor="middle" fontSize="16" fill={INK}>
            {name}
          </text>
          <path
            d={`M168 ${64 + row * 66}C230 ${64 + row * 66} 220 200 276 200`}
            fill="none"
            stroke="#A9C4FF"
            strokeWidth="1.5"
          />
        </g>
      ))}
      {cube(322, 200, 48, ["#8FB0FF", BLUE, "#1749D1"])}
      <circle cx="322" cy="200" r="15" fill="#fff" />
      <circle cx="322" cy="200" r="8" fill={TEAL} />
      {["GLB", "OBJ", "STL", "PLY"].map((name, row) => (
        <g key={name}>
          <path
            d={`M368 200C424 200 414 ${86 + row * 76} 472 ${86 + row * 76}`}
            fill="none"
            stroke="#8ED8D5"
            strokeWidth="1.5"
          />
          <rect x="472" y={60 + row * 76} width="120" height="52" rx="6" fill="#E9F7F7" stroke="#BFE6E5" />
          <text x="532" y={92 + row * 76} textAnchor="middle" fontSize="16" fill={INK}>
            {name}
          </text>
        </g>
      ))}
    </>
  ),
  view: (
    <>
      <rect width="640" height="400" fill="#0B1020" />
      <rect x="16" y="60" width="44" height="216" rx="6" fill="#131A2E" stroke="#243049" />
      {[0, 1, 2, 3, 4].map((row) => (
        <rect
          key={row}
          x="29"
          y={76 + row * 40}
          width="18"
          height="18"
          rx="3"
          fill="none"
          stroke={row === 1 ? "#35C9C3" : "#7A86A0"}
          strokeWidth="2"
        />
      ))}
      <ellipse cx="300" cy="300" rx="150" ry="28" fill="#1A2747" />
      {cube(300, 190, 108, ["#C3D4FF", "#4A7DFF", "#2450C8"])}
      <Wire x={300} y={190} size={108} n={5} stroke="rgba(255,255,255,.28)" />
      <rect x="484" y="60" width="140" height="216" rx="6" fill="#131A2E" stroke="#243049" />
      {[0, 1, 2, 3, 4].map((row) => (
        <g key={row}>
          {bar(500, 84 + row * 38, 44, "#5B6783")}
          {bar(566, 84 + row * 38, 42 - (row % 3) * 9, "#E8ECF6")}
        </g>
      ))}
      <rect x="16" y="336" width="608" height="44" rx="6" fill="#131A2E" stroke="#243049" />
      <path d="M34 350l12 8-12 8z" fill="#35C9C3" />
      {bar(64, 355, 540, "#243049", 6)}
      {bar(64, 355, 210, "#35C9C3", 6)}
    </>
  ),
};

export function CapabilityPicture({ kind }: { kind: CapabilityKey }) {
  return (
    <Frame>
      <svg viewBox="0 0 640 400" aria-hidden="true">
        {DRAWINGS[kind]}
      </svg>
    </Frame>
  );
}
