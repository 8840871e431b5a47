/** The widest that a text makes its column, in pixels. */
const WIDEST = 420;

/**
 * Cells of the console's tables. A text as long as a user likes takes three lines of a limited width, on a phone one line,
 * and pushes no other column away.
 */
export const CELLS = {
  "& table": { fontSize: 13 },
  "& table th, & table td": { px: 1.5, py: 0.75, lineHeight: "22px" },
  "& table td": { whiteSpace: { xs: "nowrap", md: "normal" } },
  "& table td .text": {
    display: { xs: "inline-block", md: "-webkit-box" },
    width: "fit-content",
    maxWidth: { xs: "40vw", md: WIDEST },
    overflow: "hidden",
    textOverflow: "ellipsis",
    verticalAlign: "bottom",
    overflowWrap: "break-word",
    WebkitBoxOrient: "vertical",
    WebkitLineClamp: 3,
  },
  "& table td.num .text": { ml: "auto" },
  // the usual red is too light on a row that the pointer is over
  "& table td .MuiButton-text.MuiButton-colorError": { color: "error.dark" },
} as const;
