import Box from "@mui/material/Box";
import type { ReactNode } from "react";
import type { Recipe } from "./blocks";
import { BLUE, box, DEEP, FAMILY_DRAWINGS, PALE, TEAL } from "./drawings";

/** Points of a toothed ring. */
function teeth(cx: number, cy: number, inner: number, outer: number, count: number): string {
  const points = Array.from({ length: count * 4 }, (_, at) => {
    const angle = (at / (count * 4)) * Math.PI * 2;
    const radius = at % 4 < 2 ? outer : inner;
    return `${(cx + Math.cos(angle) * radius).toFixed(1)} ${(cy + Math.sin(angle) * radius * 0.86).toFixed(1)}`;
  });
  return `M${points.join("L")}Z`;
}

function gear(cx: number, cy: number, size: number, count: number, fill: string): ReactNode {
  return (
    <g>
      <path d={teeth(cx, cy, size * 0.82, size, count)} fill={fill} />
      <ellipse cx={cx} cy={cy} rx={size * 0.36} ry={size * 0.31} fill="#F1F4F9" />
      <ellipse cx={cx} cy={cy} rx={size * 0.58} ry={size * 0.5} fill="none" stroke={PALE} />
    </g>
  );
}

const gears = (
  <>
    {gear(140, 118, 62, 16, BLUE)}
    {gear(232, 92, 38, 11, TEAL)}
  </>
);

const lensCube = (
  <>
    {box(160, 92, 70, 78)}
    <circle cx="160" cy="130" r="38" fill="none" stroke="#fff" strokeWidth="5" />
    <circle cx="160" cy="130" r="24" fill={TEAL} opacity=".85" />
  </>
);

const BLADES = Array.from({ length: 12 }, (_, at) => at * 30);

const DRAWINGS: Readonly<Record<string, ReactNode>> = {
  ...FAMILY_DRAWINGS,
  "lens-cube": lensCube,
  gears,
  gear: gear(160, 120, 76, 24, BLUE),
  "robot-arm": (
    <>
      <ellipse cx="128" cy="196" rx="52" ry="16" fill={DEEP} />
      <path
        d="M128 190L150 108L222 76L240 104"
        stroke={BLUE}
        strokeWidth="22"
        fill="none"
        strokeLinecap="round"
      />
      <circle cx="150" cy="108" r="15" fill={PALE} />
      <circle cx="222" cy="76" r="12" fill={PALE} />
      <path d="M240 104l-12 22M240 104l16 18" stroke={TEAL} strokeWidth="8" strokeLinecap="round" />
    </>
  ),
  turbine: (
    <>
      <ellipse cx="160" cy="120" rx="88" ry="80" fill={DEEP} />
      <ellipse cx="160" cy="120" rx="74" ry="67" fill="#E9EFFC" />
      {BLADES.map((turn) => (
        <path
          key={turn}
          d="M160 120C172 100 170 74 160 56"
          stroke={BLUE}
          strokeWidth="6"
          fill="none"
          transform={`rotate(${turn} 160 120)`}
        />
      ))}
      <circle cx="160" cy="120" r="18" fill={TEAL} />
    </>
  ),
  vase: (
    <>
      <path
        d="M142 44h36l-6 26c34 18 46 44 40 78-4 26-20 44-30 54h-44c-10-10-26-28-30-54-6-34 6-60 40-78z"
        fill="#fff"
        stroke={PALE}
        strokeWidth="2"
      />
      <path d="M112 116q48 26 96 0M110 148q50 28 100 0" stroke={BLUE} strokeWidth="4" fill="none" />
      <path d="M136 172q12-22 24 0q12-22 24 0" stroke={DEEP} strokeWidth="4" fill="none" />
      <ellipse cx="160" cy="44" rx="18" ry="5" fill={PALE} />
    </>
  ),
  pagoda: (
    <>
      {[0, 1, 2, 3, 4].map((floor) => (
        <g key={floor}>
          <rect
            x={132 - floor * 6}
            y={66 + floor * 28}
            width={56 + floor * 12}
            height="18"
            fill={floor % 2 ? BLUE : DEEP}
          />
          <path
            d={`M${112 - floor * 8} ${68 + floor * 28}q48 -14 ${96 + floor * 16} 0l-12 -10h${-72 - floor * 16}z`}
            fill={TEAL}
          />
        </g>
      ))}
      <path d="M160 24v32" stroke={DEEP} strokeWidth="5" strokeLinecap="round" />
    </>
  ),
  terrain: (
    <>
      <path d="M40 168L110 80L150 130L200 60L284 168L160 214Z" fill={BLUE} />
      <path d="M110 80L150 130L128 186L40 168Z" fill={DEEP} />
      <path d="M200 60L284 168L216 194L176 96Z" fill={PALE} />
      <ellipse cx="150" cy="182" rx="46" ry="14" fill={TEAL} />
    </>
  ),
  lamp: (
    <>
      <ellipse cx="150" cy="198" rx="52" ry="14" fill={DEEP} />
      <path d="M150 196L116 128L176 74" stroke={BLUE} strokeWidth="9" fill="none" strokeLinejoin="round" />
      <path d="M160 54l56 22-22 38-58-38z" fill={TEAL} />
      <path d="M194 114l22-38 34 66-50 14z" fill="#FFF2CC" opacity=".9" />
    </>
  ),
  bridge: (
    <>
      <path d="M24 160H296" stroke={DEEP} strokeWidth="10" />
      <path d="M104 56V200M216 56V200" stroke={BLUE} strokeWidth="10" />
      <path
        d="M104 60L40 156M104 60L64 156M104 60L86 156M104 60L122 156M104 60L142 156M104 60L158 156M216 60L162 156M216 60L178 156M216 60L198 156M216 60L234 156M216 60L256 156M216 60L280 156"
        stroke={TEAL}
        strokeWidth="2"
      />
    </>
  ),
  molecule: (
    <>
      {Array.from({ length: 9 }, (_, at) => {
        const y = 36 + at * 21;
        const swing = Math.sin(at * 0.9) * 56;
        return (
          <g key={y}>
            <path d={`M${160 - swing} ${y}H${160 + swing}`} stroke={PALE} strokeWidth="4" />
            <circle cx={160 - swing} cy={y} r="9" fill={BLUE} />
            <circle cx={160 + swing} cy={y} r="9" fill={TEAL} />
          </g>
        );
      })}
    </>
  ),
  city: (
    <>
      {box(160, 66, 26, 60)}
      {box(104, 112, 28, 38)}
      {box(216, 108, 28, 48)}
      {box(160, 150, 30, 30)}
    </>
  ),
};

/** Families that share the drawing of another one. */
const ALIKE: Readonly<Record<string, string>> = {
  planetary: "gears",
  pottery: "vase",
  "spur-gear": "gear",
};

/** Name of the drawing for a model; the mark if the family is unknown. */
export function drawingFor(sample: string): string {
  const name = Object.hasOwn(ALIKE, sample) ? (ALIKE[sample] ?? sample) : sample;
  return Object.hasOwn(DRAWINGS, name) ? name : "lens-cube";
}

/** Our drawing while there is no render: the same model in the brand's lines, on the ground of its renders. */
export function Drawn({ recipe, alt }: { recipe: Recipe; alt: string }) {
  const turned = /back|left|rear/.test(recipe.view);
  return (
    <Box
      sx={{
        width: "100%",
        height: "100%",
        display: "grid",
        placeItems: "center",
        background: "linear-gradient(180deg,#F3F5F9,#E6EAF2)",
      }}
    >
      <svg
        viewBox="0 0 320 240"
        width="100%"
        height="100%"
        preserveAspectRatio="xMidYMid meet"
        role={alt ? "img" : "presentation"}
        aria-label={alt || undefined}
      >
        <ellipse cx="160" cy="212" rx="104" ry="14" fill="#1B2130" opacity=".06" />
        <g transform={turned ? "translate(320 0) scale(-1 1)" : undefined}>
          {DRAWINGS[drawingFor(recipe.sample)]}
        </g>
      </svg>
    </Box>
  );
}
