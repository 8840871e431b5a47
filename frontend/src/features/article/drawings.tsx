import type { ReactNode } from "react";

/** Colours of the drawings that replace missing renders. */
export const BLUE = "#1F5EFF";
export const TEAL = "#0FA3A3";
export const DEEP = "#1749D1";
export const PALE = "#C9D6FF";
export const LIGHT = "#F1F4F9";

/** The three faces of an isometric box, from the middle of its top edge. */
export function box(x: number, y: number, w: number, h: number): ReactNode {
  const d = w / 2;
  return (
    <g transform={`translate(${x} ${y})`}>
      <path d={`M0 ${-d}L${w} 0L0 ${d}L${-w} 0Z`} fill={PALE} />
      <path d={`M${w} 0V${h}L0 ${h + d}V${d}Z`} fill={BLUE} />
      <path d={`M${-w} 0V${h}L0 ${h + d}V${d}Z`} fill={DEEP} />
    </g>
  );
}

const TURNS = (count: number) => Array.from({ length: count }, (_, at) => (at * 360) / count);
const ROWS = (count: number) => Array.from({ length: count }, (_, at) => at);

/** Round part seen from the front: `holes` holes around a bore. */
function disc(holes: number, hole: number): ReactNode {
  return (
    <>
      <circle cx="160" cy="120" r="80" fill={BLUE} />
      <circle cx="160" cy="120" r="66" fill={DEEP} />
      {TURNS(holes).map((turn) => (
        <circle key={turn} cx="160" cy="67" r={hole} fill={LIGHT} transform={`rotate(${turn} 160 120)`} />
      ))}
      <circle cx="160" cy="120" r="34" fill={LIGHT} />
    </>
  );
}

/** Drawings of the families of generated models. */
export const FAMILY_DRAWINGS: Readonly<Record<string, ReactNode>> = {
  flange: disc(8, 8),
  bearing: (
    <>
      <circle cx="160" cy="120" r="80" fill={DEEP} />
      <circle cx="160" cy="120" r="62" fill={PALE} />
      {TURNS(9).map((turn) => (
        <circle key={turn} cx="160" cy="72" r="13" fill={BLUE} transform={`rotate(${turn} 160 120)`} />
      ))}
      <circle cx="160" cy="120" r="34" fill={DEEP} />
      <circle cx="160" cy="120" r="22" fill={LIGHT} />
    </>
  ),
  bolt: (
    <>
      <path d="M124 40h72l16 26-16 26h-72l-16-26z" fill={BLUE} />
      <rect x="140" y="92" width="40" height="108" fill={PALE} />
      {ROWS(7).map((row) => (
        <path key={row} d={`M138 ${112 + row * 13}l44 -7`} stroke={DEEP} strokeWidth="5" />
      ))}
    </>
  ),
  spring: (
    <>
      {ROWS(7).map((row) => (
        <ellipse
          key={row}
          cx="160"
          cy={52 + row * 23}
          rx="54"
          ry="13"
          fill="none"
          stroke={row % 2 ? BLUE : DEEP}
          strokeWidth="8"
          transform={`rotate(-7 160 ${52 + row * 23})`}
        />
      ))}
    </>
  ),
  impeller: (
    <>
      <circle cx="160" cy="120" r="84" fill={DEEP} />
      {TURNS(7).map((turn) => (
        <path
          key={turn}
          d="M160 104C186 96 200 74 192 46"
          stroke={PALE}
          strokeWidth="9"
          fill="none"
          strokeLinecap="round"
          transform={`rotate(${turn} 160 120)`}
        />
      ))}
      <circle cx="160" cy="120" r="24" fill={TEAL} />
    </>
  ),
  valve: (
    <>
      <rect x="76" y="132" width="168" height="40" fill={BLUE} />
      <rect x="64" y="116" width="16" height="72" fill={DEEP} />
      <rect x="240" y="116" width="16" height="72" fill={DEEP} />
      <path d="M132 132l10-52h36l10 52z" fill={BLUE} />
      <rect x="154" y="48" width="12" height="34" fill={PALE} />
      <ellipse cx="160" cy="46" rx="50" ry="11" fill="none" stroke={TEAL} strokeWidth="8" />
    </>
  ),
  "pipe-bend": (
    <>
      <path d="M92 196V140a52 52 0 0 1 52-52h62" stroke={BLUE} strokeWidth="40" fill="none" />
      <path d="M84 192V140a60 60 0 0 1 60-60h58" stroke={PALE} strokeWidth="6" fill="none" />
      <rect x="62" y="188" width="60" height="14" fill={DEEP} />
      <rect x="204" y="58" width="14" height="60" fill={DEEP} />
    </>
  ),
  chair: (
    <>
      <path d="M116 36V204M204 36V204M116 128V204M204 128V204" stroke={DEEP} strokeWidth="9" />
      <path d="M116 42H204M116 96H204" stroke={DEEP} strokeWidth="9" />
      {ROWS(5).map((row) => (
        <path key={row} d={`M${128 + row * 16} 46V94`} stroke={TEAL} strokeWidth="5" />
      ))}
      <path d="M104 126h112l-10 18H114z" fill={BLUE} />
    </>
  ),
  table: (
    <>
      <path d="M56 92h208l-28 28H84z" fill={PALE} />
      <path d="M84 120h152v10H84z" fill={BLUE} />
      <path d="M92 130V204M228 130V204M122 120V184M198 120V184" stroke={DEEP} strokeWidth="10" />
    </>
  ),
  shelf: (
    <>
      <path d="M104 32V206M216 32V206" stroke={DEEP} strokeWidth="9" />
      {ROWS(5).map((row) => (
        <path key={row} d={`M100 ${44 + row * 38}H220`} stroke={BLUE} strokeWidth="9" />
      ))}
      <path
        d="M116 78V52M126 78V50M138 78V56M180 116V92M192 116V88M120 154V128M134 154V132"
        stroke={TEAL}
        strokeWidth="8"
      />
    </>
  ),
  bench: (
    <>
      <path d="M60 96H260M60 112H260M56 144H264M56 158H264" stroke={BLUE} strokeWidth="10" />
      <path d="M88 88V204M232 88V204" stroke={DEEP} strokeWidth="9" />
    </>
  ),
  "floor-lamp": (
    <>
      <path
        d="M160 96L120 206M160 96L200 206M160 96V206"
        stroke={DEEP}
        strokeWidth="7"
        strokeLinecap="round"
      />
      <path d="M132 36h56l18 60h-92z" fill={TEAL} />
      <path d="M146 36l-6 60M160 36v60M174 36l6 60" stroke={LIGHT} strokeWidth="2" />
    </>
  ),
  "street-lamp": (
    <>
      <path d="M160 206V56M160 72H104V92M160 72h56v20" stroke={DEEP} strokeWidth="8" fill="none" />
      <path d="M88 92h32l-6 36H94zM200 92h32l-6 36h-20z" fill={TEAL} />
      <path d="M136 206h48" stroke={BLUE} strokeWidth="12" />
    </>
  ),
  house: (
    <>
      <rect x="96" y="108" width="128" height="96" fill={BLUE} />
      <path d="M80 112L160 52l80 60z" fill={DEEP} />
      <path d="M114 128h26v24h-26zM180 128h26v24h-26zM114 168h26v24h-26z" fill={PALE} />
      <rect x="178" y="164" width="30" height="40" fill={TEAL} />
    </>
  ),
  tower: (
    <>
      {ROWS(12).map((row) => (
        <rect
          key={row}
          x={128 + Math.sin(row * 0.5) * 10}
          y={26 + row * 15}
          width={64 - Math.sin(row * 0.5) * 4}
          height="11"
          fill={row % 2 ? BLUE : DEEP}
        />
      ))}
      <rect x="104" y="200" width="112" height="8" fill={TEAL} />
    </>
  ),
  pavilion: (
    <>
      <path d="M160 30l84 66q-84-22-168 0z" fill={TEAL} />
      <path d="M100 96V196M140 92V196M180 92V196M220 96V196" stroke={DEEP} strokeWidth="8" />
      <path d="M84 196H236v12H84z" fill={BLUE} />
    </>
  ),
  tree: (
    <>
      <path
        d="M160 206V116M160 150l-28-30M160 138l26-28"
        stroke={DEEP}
        strokeWidth="11"
        strokeLinecap="round"
      />
      <circle cx="122" cy="98" r="36" fill={TEAL} />
      <circle cx="196" cy="94" r="38" fill={TEAL} />
      <circle cx="160" cy="66" r="42" fill="#35C9C3" />
    </>
  ),
  rock: (
    <>
      <path d="M60 196L92 120l52-24 44 40 12 60z" fill={DEEP} />
      <path d="M92 120l52-24 44 40-56 22z" fill={PALE} />
      <path d="M176 196l18-48 40-8 26 56z" fill={BLUE} />
      <path d="M194 148l40-8-14 24z" fill={PALE} />
    </>
  ),
  "wind-turbine": (
    <>
      <path d="M154 206l4-112h6l4 112z" fill={DEEP} />
      {TURNS(3).map((turn) => (
        <path
          key={turn}
          d="M160 92q14-30 2-78q-14 44-2 78"
          fill={BLUE}
          transform={`rotate(${turn + 20} 160 92)`}
        />
      ))}
      <circle cx="160" cy="92" r="9" fill={TEAL} />
    </>
  ),
  chess: (
    <>
      <path d="M160 26v28M148 38h24" stroke={DEEP} strokeWidth="7" />
      <path d="M134 60h52l-10 36h-32z" fill={BLUE} />
      <path d="M144 96h32q2 60 22 84h-76q20-24 22-84z" fill={DEEP} />
      <path d="M112 182h96v22h-96z" fill={BLUE} />
    </>
  ),
  ring: (
    <>
      <ellipse cx="160" cy="146" rx="58" ry="54" fill="none" stroke={PALE} strokeWidth="12" />
      <path d="M132 62h56l16 18-44 38-44-38z" fill={TEAL} />
      <path d="M132 62l28 56 28-56M116 80h88" stroke={LIGHT} strokeWidth="2" fill="none" />
    </>
  ),
  drone: (
    <>
      <path d="M92 88l136 64M228 88L92 152" stroke={DEEP} strokeWidth="9" />
      {[92, 228].flatMap((x) =>
        [84, 148].map((y) => (
          <ellipse
            key={`${x}-${y}`}
            cx={x}
            cy={y}
            rx="40"
            ry="10"
            fill={PALE}
            stroke={BLUE}
            strokeWidth="2"
          />
        )),
      )}
      <rect x="132" y="104" width="56" height="34" rx="10" fill={BLUE} />
      <circle cx="160" cy="146" r="11" fill={TEAL} />
    </>
  ),
  rocket: (
    <>
      <path d="M160 20q22 26 22 58v112h-44V78q0-32 22-58" fill={BLUE} />
      <path d="M118 112q10-18 14 0v84h-20zM202 112q-10-18-14 0v84h20z" fill={DEEP} />
      <circle cx="160" cy="84" r="9" fill={LIGHT} />
      <path d="M146 190h28l-6 22h-16z" fill={TEAL} />
    </>
  ),
  "spiral-stairs": (
    <>
      <path d="M160 26V206" stroke={DEEP} strokeWidth="9" />
      {ROWS(10).map((row) => (
        <path
          key={row}
          d={`M160 ${196 - row * 17}l${(Math.cos(row * 0.7) * 76).toFixed(0)} ${(Math.sin(row * 0.7) * 14).toFixed(0)}`}
          stroke={row % 2 ? BLUE : TEAL}
          strokeWidth="9"
        />
      ))}
    </>
  ),
  "arch-bridge": (
    <path
      d="M28 112q132-44 264 0v76h-24a32 32 0 0 0-64 0h-8a36 36 0 0 0-72 0h-8a32 32 0 0 0-64 0H28z"
      fill={BLUE}
    />
  ),
};
