/** Invisible, but read by screen readers. */
export const VISUALLY_HIDDEN = {
  position: "absolute",
  // Not the number 1, which the style system interprets as 100 %.
  width: "1px",
  height: "1px",
  overflow: "hidden",
  clipPath: "inset(50%)",
  whiteSpace: "nowrap",
} as const;
