/** Memberships are sold in gold up to their payment. */
export const GOLD = "#8A6116";

/** The main button of a payment; `gold` for a membership. */
export const payButton = (gold: boolean) =>
  gold && { color: "#fff", backgroundColor: GOLD, "&:hover": { backgroundColor: "#6F4D10" } };
