import { useId } from "react";

/**
 * The first picture of the hero: the mark as a solid isometric cube, drawn as SVG to be there on first paint. The live model
 * starts from the same view and replaces it.
 */

/** Distance from the cube's centre to a corner of its outline, in units of the picture. */
const R = 196;
const W = R * Math.cos(Math.PI / 6);
const H = R / 2;
/** Lift of the top face, and its thickness. */
const LIFT = 26;
const PLATE = 18;
const LENS = 96;

const LEFT = `M0 0L${-W} ${-H}V${H}L0 ${R}Z`;
const RIGHT = `M0 0L${W} ${-H}V${H}L0 ${R}Z`;
const TOP = `M0 ${-LIFT - PLATE}L${-W} ${-H - LIFT - PLATE}L0 ${-R - LIFT - PLATE}L${W} ${-H - LIFT - PLATE}Z`;
const TOP_LEFT = `M0 ${-LIFT - PLATE}L${-W} ${-H - LIFT - PLATE}v${PLATE}L0 ${-LIFT}Z`;
const TOP_RIGHT = `M0 ${-LIFT - PLATE}L${W} ${-H - LIFT - PLATE}v${PLATE}L0 ${-LIFT}Z`;
const CORE = `M0 ${-LIFT}L${-W + 12} ${-H - LIFT}V${-H}L0 0L${W - 12} ${-H}V${-H - LIFT}Z`;

function Shade({ id, from, to, flip = false }: { id: string; from: string; to: string; flip?: boolean }) {
  return (
    <linearGradient id={id} x1={flip ? 1 : 0} y1="0" x2={flip ? 0 : 1} y2="1">
      <stop offset="0" stopColor={from} />
      <stop offset="1" stopColor={to} />
    </linearGradient>
  );
}

export function HeroPoster() {
  const id = useId();
  const fill = (name: string) => `url(#${id}${name})`;
  return (
    <svg viewBox="-270 -270 540 540" width="100%" height="100%" aria-hidden="true" focusable="false">
      <defs>
        <Shade id={`${id}left`} from="#0B45D6" to="#0A3AB4" />
        <Shade id={`${id}right`} from="#12AFAE" to="#0A8287" flip />
        <Shade id={`${id}top`} from="#F1F4FF" to="#D3DDF8" />
        <Shade id={`${id}ring`} from="#F0C263" to="#7A5410" />
        <radialGradient id={`${id}lens`} cx="36%" cy="30%" r="78%">
          <stop offset="0" stopColor="#B9CCFF" />
          <stop offset=".38" stopColor="#4C78F2" />
          <stop offset="1" stopColor="#0E1F63" />
        </radialGradient>
        <radialGradient id={`${id}floor`}>
          <stop offset="0" stopColor="#2B62FF" stopOpacity=".4" />
          <stop offset="1" stopColor="#2B62FF" stopOpacity="0" />
        </radialGradient>
      </defs>
      <g transform="translate(0 18)">
        <ellipse cx="0" cy="196" rx="226" ry="46" fill={fill("floor")} />
        <path d={CORE} fill="#0A1433" />
        <path d={LEFT} fill={fill("left")} />
        <path d={RIGHT} fill={fill("right")} />
        <path d={TOP_LEFT} fill="#AEB8D2" />
        <path d={TOP_RIGHT} fill="#C3CCE2" />
        <path d={TOP} fill={fill("top")} />
        <circle r={LENS + 10} fill="#0A1433" />
        <circle r={LENS + 4} fill={fill("lens")} stroke={fill("ring")} strokeWidth="7" />
      </g>
    </svg>
  );
}
