import type { TransactionListing } from "@/calls/transaction";

/** A model of the mall, its maker, and its page. */
export const gear: TransactionListing = {
  listingId: "m1",
  name: "行星齿轮组",
  price: 2900,
  license: "commercial",
  origin: "own",
  categoryId: "c1",
  labelIds: ["l1"],
  formats: ["glb", "step"],
  triangles: 120_000,
  animation: true,
  score: 92,
  seller: "u9",
  sellerName: "齿轮匠",
  uploaderType: 2,
  thumbUrl: "",
  turntableUrl: "",
  sold: 3,
  ratingSum: 9,
  ratingCount: 2,
  favourites: 0,
  listedAt: 1_790_000_000_000,
  updatedAt: 1_790_000_000_000,
  version: 2,
  intro: "可转动",
};

export const author = {
  authorId: "u9",
  uploaderType: 2,
  nickname: "齿轮匠",
  avatar: "",
  models: 2,
  sold: 3,
  ratingSum: 9,
  ratingCount: 2,
  since: 1_780_000_000_000,
};

export const detail = {
  listing: gear,
  description: "第一行\n第二行",
  labels: [{ key: "l1", name: "机械", count: 5 }],
  categoryNames: ["工业", "传动"],
  pictures: [{ kind: "wire", url: "https://x.test/w.webp", title: "" }],
  proxyUrl: "",
  facts: JSON.stringify({
    vertices: 60_321,
    textureCount: 4,
    boundingBox: { size: [0.2, 0.1, 0.2] },
    odd: 1,
  }),
  bytes: 2_500_000,
  versions: [{ number: 2, notes: "补上倒角", format: "glb", bytes: 2_500_000, createdAt: 1_790_000_000_000 }],
  prices: [
    { price: 3900, at: Date.now() - 80 * 86_400_000 },
    { price: 2900, at: Date.now() - 10 * 86_400_000 },
  ],
  author,
};
