/** Texts of the modeler centre that the specification prescribes. */
export const modelerMessages = {
  /** With the specification's ASCII comma. */
  frozen: "您的模型师账户已冻结,请联系客服",
} as const;
