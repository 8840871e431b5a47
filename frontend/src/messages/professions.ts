/** Codes of the professions with their names, in the order of the list. */
export const professions = [
  { code: "appdeveloper", label: "应用开发者" },
  { code: "modeler", label: "模型师" },
  { code: "designer", label: "设计师" },
  { code: "other", label: "其他" },
] as const;
