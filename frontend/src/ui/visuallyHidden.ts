/** Not to be seen, yet read aloud. */
export const VISUALLY_HIDDEN = {
  position: "absolute",
  // Not the number 1, which the style system reads as 100 %.
  width: "1px",
  height: "1px",
  overflow: "hidden",
  clipPath: "inset(50%)",
  whiteSpace: "nowrap",
} as const;
