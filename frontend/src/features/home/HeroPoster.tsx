import { useId } from "react";

/**
 * The first picture of the hero: the lens cube in isometric projection, drawn as SVG so that it is
 * there with the first paint. The live scene starts from the same view and replaces it.
 */

/** Isometric axes on screen: x to the lower right, z to the lower left, y straight up. */
const COS30 = Math.cos(Math.PI / 6);
const HALF = 100;

const FACES = [
  { name: "left", matrix: [COS30, 0.5, 0, 1, -COS30 * HALF, 0.5 * HALF], shade: ["#2C57C9", "#16307F"] },
  { name: "right", matrix: [COS30, -0.5, 0, 1, COS30 * HALF, 0.5 * HALF], shade: ["#4A7DFF", "#1F4FD6"] },
  { name: "top", matrix: [COS30, 0.5, -COS30, 0.5, 0, -HALF - 30], shade: ["#C3D4FF", "#6E98FF"] },
] as const;

function platePath(): string {
  const s = 93;
  const r = 16;
  const hole = 60;
  return [
    `M${-s + r} ${-s}H${s - r}A${r} ${r} 0 0 1 ${s} ${-s + r}V${s - r}A${r} ${r} 0 0 1 ${s - r} ${s}`,
    `H${-s + r}A${r} ${r} 0 0 1 ${-s} ${s - r}V${-s + r}A${r} ${r} 0 0 1 ${-s + r} ${-s}Z`,
    `M${hole} 0A${hole} ${hole} 0 1 0 ${-hole} 0A${hole} ${hole} 0 1 0 ${hole} 0Z`,
  ].join("");
}

const PLATE = platePath();

export function HeroPoster() {
  const id = useId();
  return (
    <svg viewBox="-270 -270 540 540" width="100%" height="100%" aria-hidden="true" focusable="false">
      <defs>
        <radialGradient id={`${id}b`} cx="38%" cy="30%" r="80%">
          <stop offset="0" stopColor="#8DF2E8" />
          <stop offset=".4" stopColor="#1AA9A6" />
          <stop offset="1" stopColor="#07404C" />
        </radialGradient>
        <radialGradient id={`${id}s`} cx="50%" cy="50%" r="50%">
          <stop offset="0" stopColor="#2B62FF" stopOpacity=".42" />
          <stop offset="1" stopColor="#2B62FF" stopOpacity="0" />
        </radialGradient>
        {FACES.map((face) => (
          <linearGradient key={face.name} id={`${id}${face.name}`} x1="0" y1="0" x2="1" y2="1">
            <stop offset="0" stopColor={face.shade[0]} />
            <stop offset="1" stopColor={face.shade[1]} />
          </linearGradient>
        ))}
      </defs>
      <ellipse cx="0" cy="205" rx="230" ry="52" fill={`url(#${id}s)`} />
      <path
        d={`M0 ${-HALF * 1.86}L${COS30 * 186} ${-93}V93L0 186L${-COS30 * 186} 93V-93Z`}
        fill="#0A1433"
        opacity=".9"
      />
      {FACES.map((face) => (
        <g key={face.name}>
          <path
            d={PLATE}
            fillRule="evenodd"
            fill="#0B1B4E"
            transform={`matrix(${face.matrix.slice(0, 4).join(" ")} ${face.matrix[4]} ${face.matrix[5] + 12})`}
          />
          <path
            d={PLATE}
            fillRule="evenodd"
            fill={`url(#${id}${face.name})`}
            transform={`matrix(${face.matrix.join(" ")})`}
          />
          <circle r="60" fill={`url(#${id}b)`} transform={`matrix(${face.matrix.join(" ")})`} />
          <circle
            r="61"
            fill="none"
            stroke="#35C9C3"
            strokeWidth="4"
            transform={`matrix(${face.matrix.join(" ")})`}
          />
        </g>
      ))}
    </svg>
  );
}
