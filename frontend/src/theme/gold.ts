/** Gold on light grounds: what belongs to memberships. */
export const golden = {
  line: "#B8862B",
  softLine: "#EBD6A6",
  /** of buttons and prices: white reads on it, and it reads on white */
  solid: "#8A6116",
  solidHover: "#6F4D10",
  /** of text on `soft` */
  text: "#7A5410",
  textStrong: "#5C420F",
  soft: "#FFF3D6",
  softHover: "#FBE7B8",
} as const;

/** The main button of what is about memberships. */
export const goldButton = {
  color: "#fff",
  backgroundColor: golden.solid,
  "&:hover": { backgroundColor: golden.solidHover },
} as const;
