/** The step that ends a registration; operators switch it on. */
export const welcomeMessages = {
  hint: "可以上传第一个模型，看看它的体检报告。",
  upload: "上传模型",
  look: "先看看",
} as const;
