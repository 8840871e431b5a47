/** Page of a model in the mall. */
export const modelPath = (modelId: string): string => `/transaction/detail?id=${encodeURIComponent(modelId)}`;
