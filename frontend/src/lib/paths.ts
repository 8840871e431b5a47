/** A seller's page in the mall. */
export const authorPath = (userId: string): string =>
  `/transaction/author?userId=${encodeURIComponent(userId)}&type=2`;

/** The works of one author. */
export const worksOf = (userId: string): string =>
  `/production/classify?author=${encodeURIComponent(userId)}`;
