import type { ReactNode } from "react";
import type { ServiceType } from "./params";

const CUBE = "M16 4l10.4 6v12L16 28 5.6 22V10zM5.6 10L16 16l10.4-6M16 16v12";

/** Drawing of each service's effect on a cube. */
const DRAWINGS: Record<ServiceType, ReactNode> = {
  lightweight: (
    <>
      <path d={CUBE} opacity=".4" />
      <path d="M10.8 7l10.4 6M21.2 7l-10.4 6M5.6 16l5.2 9M26.4 16l-5.2 9" opacity=".4" />
      <path d="M32 16h8M37 13l3 3-3 3" stroke="var(--accent)" />
      <path transform="translate(38 6) scale(.62)" d={CUBE} strokeWidth="2.4" />
    </>
  ),
  convert: (
    <>
      <path d="M4 5h13l5 5v17H4zM17 5v5h5" opacity=".5" />
      <path d="M38 5h13l5 5v17H38zM51 5v5h5" />
      <path d="M25 13h10M32 10l3 3-3 3M35 20H25M28 17l-3 3 3 3" stroke="var(--accent)" />
    </>
  ),
  tile: (
    <>
      <path d="M30 4l24 12-24 12L6 16z" />
      <path d="M18 10l24 12M42 10L18 22" />
      <path d="M36 13l12 6M42 16l-6 3M36 7l12 6" opacity=".5" />
      <path d="M30 4l12 6-12 6-12-6z" fill="var(--accent)" fillOpacity=".25" stroke="var(--accent)" />
    </>
  ),
  amrt: (
    <>
      <path d="M6 8h18v18H6zM6 14h18" opacity=".5" />
      <path transform="translate(30 0)" d={CUBE} />
      <path d="M10 20h10" stroke="var(--accent)" strokeWidth="2.4" />
    </>
  ),
  offline: (
    <>
      <path d="M6 6h30v18H6zM15 29h12M21 24v5" />
      <path transform="translate(12.6 6.8) scale(.52)" d={CUBE} strokeWidth="2.6" />
      <path d="M44 12l12 12M56 12a9 9 0 0 0-5-2M46 16a9 9 0 0 0-2 2" stroke="var(--accent)" />
    </>
  ),
};

export function ServiceDrawing({ type }: { type: ServiceType }) {
  return (
    <svg
      width="60"
      height="32"
      viewBox="0 0 60 32"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinejoin="round"
      strokeLinecap="round"
      aria-hidden="true"
      style={{ flex: "none" }}
    >
      {DRAWINGS[type]}
    </svg>
  );
}
