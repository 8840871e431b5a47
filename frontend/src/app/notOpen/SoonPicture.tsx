import type { ReactNode } from "react";
import type { SoonDrawing } from "./areas";

const WIRE = "#5B8CFF";
const TEAL = "#35C9C3";
const PALE = "#C9D6FF";

/** An isometric box around its middle, as lines; `fill` fills its faces. */
function box(x: number, y: number, size: number, fill?: readonly [string, string, string]): ReactNode {
  const w = size * 0.866;
  const h = size * 0.5;
  return (
    <g transform={`translate(${x} ${y})`}>
      <path d={`M0 ${-size}L${w} ${-h}L0 0L${-w} ${-h}Z`} fill={fill?.[0] ?? "none"} />
      <path d={`M${w} ${-h}V${h}L0 ${size}V0Z`} fill={fill?.[1] ?? "none"} />
      <path d={`M${-w} ${-h}V${h}L0 ${size}V0Z`} fill={fill?.[2] ?? "none"} />
    </g>
  );
}

const SOLID = ["#8FB0FF", "#1F5EFF", "#1749D1"] as const;
const CLEAR = ["#5FDDD7", "#0FA3A3", "#0B7C7C"] as const;

/** Solid lines exist already, dashed ones are planned. */
const planned = (content: ReactNode) => <g strokeDasharray="4 5">{content}</g>;

const DRAWINGS: Record<SoonDrawing, ReactNode> = {
  shelf: (
    <>
      <path d="M60 118H380M60 206H380" stroke={PALE} strokeOpacity=".5" />
      {box(110, 84, 30, SOLID)}
      {planned(box(196, 84, 30))}
      {planned(box(282, 84, 30))}
      {planned(box(110, 172, 30))}
      {box(196, 172, 30, CLEAR)}
      {planned(box(282, 172, 30))}
      <path d="M330 150h34l-6 34h-24z" stroke={TEAL} />
      <path d="M340 150c0-16 14-16 14 0" stroke={TEAL} />
    </>
  ),
  mesh: (
    <>
      <path d="M58 96L110 60L180 66L206 118L186 184L118 202L66 160Z" stroke={PALE} strokeOpacity=".7" />
      <path
        d="M58 96L96 112L110 60M96 112L140 90L110 60M140 90L180 66M140 90L164 124L206 118M180 66L164 124M96 112L66 160M96 112L112 152L140 90M112 152L164 124M112 152L66 160M112 152L118 202M112 152L150 166L164 124M150 166L118 202M150 166L186 184M164 124L186 184"
        stroke={PALE}
        strokeOpacity=".7"
      />
      <path d="M224 130h36M250 120l12 10-12 10" stroke={TEAL} />
      {planned(
        <>
          <path d="M284 76q52-22 104 0q16 54 0 108q-52 22-104 0q-16-54 0-108z" />
          <path d="M277 112q59-16 118 0M277 148q59 16 118 0M318 66q-10 64 0 128M354 66q10 64 0 128" />
        </>,
      )}
    </>
  ),
  editor: (
    <>
      <rect x="70" y="44" width="300" height="172" rx="8" stroke={PALE} strokeOpacity=".6" />
      <path d="M70 70H370M120 70V216M306 70V216" stroke={PALE} strokeOpacity=".6" />
      {box(213, 146, 48, SOLID)}
      <circle cx="244" cy="120" r="5" fill={TEAL} stroke="none" />
      <path d="M248 117l30-20h20" stroke={TEAL} />
      {planned(<path d="M84 92h22M84 112h22M84 132h22M320 92h36M320 112h36M320 132h24" stroke={PALE} />)}
    </>
  ),
  spark: (
    <>
      <rect x="64" y="76" width="108" height="108" rx="6" stroke={PALE} strokeOpacity=".7" />
      <path d="M64 158l34-34 26 24 18-16 30 28" stroke={PALE} />
      <circle cx="142" cy="104" r="9" stroke={PALE} />
      <path d="M190 130h36M216 120l12 10-12 10" stroke={TEAL} />
      {planned(box(302, 130, 58))}
      <path d="M342 66v24M330 78h24" stroke={TEAL} />
    </>
  ),
  city: (
    <>
      <path d="M220 34L384 128L220 222L56 128Z" stroke={PALE} strokeOpacity=".4" />
      {box(160, 122, 26, SOLID)}
      {box(222, 96, 34, SOLID)}
      {planned(box(284, 124, 26))}
      {planned(box(222, 172, 28))}
      {box(300, 84, 16, CLEAR)}
    </>
  ),
  pages: (
    <>
      <rect x="96" y="44" width="120" height="164" rx="6" stroke={PALE} strokeOpacity=".7" />
      {box(156, 100, 30, SOLID)}
      {planned(<path d="M116 150h80M116 168h80M116 186h52" stroke={PALE} />)}
      {planned(<rect x="236" y="60" width="120" height="148" rx="6" stroke={PALE} />)}
      <circle cx="296" cy="122" r="30" stroke={TEAL} />
      <path d="M318 144l22 24" stroke={TEAL} strokeWidth="5" />
    </>
  ),
  code: (
    <>
      <rect x="70" y="58" width="190" height="140" rx="8" stroke={PALE} strokeOpacity=".7" />
      <path d="M112 104l-22 22 22 22M150 104l22 22-22 22" stroke={PALE} />
      <path d="M190 152h44" stroke={TEAL} />
      <path d="M260 128h34" stroke={TEAL} strokeDasharray="4 5" />
      {box(334, 128, 38, SOLID)}
    </>
  ),
  person: (
    <>
      <circle cx="130" cy="98" r="24" stroke={PALE} />
      <path d="M90 184c0-52 80-52 80 0z" stroke={PALE} />
      <rect x="206" y="62" width="164" height="38" rx="6" stroke={PALE} strokeOpacity=".8" />
      {planned(<rect x="206" y="112" width="164" height="38" rx="6" stroke={PALE} />)}
      {planned(<rect x="206" y="162" width="164" height="38" rx="6" stroke={PALE} />)}
      {box(228, 81, 10, SOLID)}
      {box(228, 131, 10)}
      {box(228, 181, 10, CLEAR)}
    </>
  ),
};

/** A drawing of what is planned here, on the brand's dark background. */
export function SoonPicture({ kind }: { kind: SoonDrawing }) {
  return (
    <svg
      viewBox="0 0 440 260"
      width="100%"
      role="img"
      aria-label="这一部分的示意图，虚线是正在建设的"
      style={{ display: "block", borderRadius: 8, background: "#0B1020" }}
    >
      <defs>
        <radialGradient id="soon-glow" cx="62%" cy="40%" r="70%">
          <stop offset="0" stopColor="#1F5EFF" stopOpacity=".34" />
          <stop offset="1" stopColor="#0B1020" stopOpacity="0" />
        </radialGradient>
      </defs>
      <rect width="440" height="260" fill="url(#soon-glow)" />
      <g fill="none" stroke={WIRE} strokeWidth="1.6" strokeLinejoin="round" strokeLinecap="round">
        {DRAWINGS[kind]}
      </g>
    </svg>
  );
}
