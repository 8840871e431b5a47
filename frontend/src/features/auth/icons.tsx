/** Small line icons of the dialog, drawn on 20 × 20. */
const line = {
  width: 20,
  height: 20,
  viewBox: "0 0 20 20",
  fill: "none",
  stroke: "currentColor",
  strokeWidth: 1.5,
  strokeLinecap: "round",
  strokeLinejoin: "round",
} as const;

export function CloseIcon() {
  return (
    <svg {...line} aria-hidden="true">
      <path d="m5 5 10 10M15 5 5 15" />
    </svg>
  );
}

export function BackIcon() {
  return (
    <svg {...line} aria-hidden="true">
      <path d="m12 4-6 6 6 6" />
    </svg>
  );
}
