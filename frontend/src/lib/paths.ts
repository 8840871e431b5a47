/** A seller's page in the mall. */
export const authorPath = (userId: string): string =>
  `/transaction/author?userId=${encodeURIComponent(userId)}&type=2`;
