import type { TransactionCategory, TransactionListing } from "../api/generated/transaction";
import { ALL, me, type Replies } from "./console";

export const listing = (more: Partial<TransactionListing> = {}): TransactionListing => ({
  listingId: "l1",
  name: "行星齿轮组",
  price: 1234,
  license: "commercial",
  origin: "ai",
  categoryId: "c1001",
  labelIds: [],
  formats: ["glb"],
  triangles: 12000,
  animation: false,
  score: 91,
  seller: "u1",
  sellerName: "齿轮匠",
  uploaderType: 2,
  thumbUrl: "",
  turntableUrl: "",
  sold: 0,
  ratingSum: 0,
  ratingCount: 0,
  favourites: 0,
  listedAt: 0,
  updatedAt: 1,
  version: 0,
  intro: "十二齿",
  ...more,
});

export const category = (id: string, parentId: string, position: number): TransactionCategory => ({
  id,
  name: `分类${id}`,
  parentId,
  position,
  offered: true,
  listings: 3,
});
export const CATEGORIES = [
  category("a", "", 1),
  category("b", "", 2),
  category("a1", "a", 1),
  category("a2", "a", 2),
];

export const site = (more: object = {}, permissions = ALL): Replies => {
  const item = {
    listing: listing(),
    state: "submitted",
    reviewedVersion: 2,
    submittedAt: Date.now() - 60_000,
    claimedBy: "",
    ...more,
  };
  return {
    "session/me": me(permissions),
    "/api-console/transaction/listings/search": { datas: { listings: [item], next: "", waiting: 1 } },
    "/api-console/transaction/listings/show": {
      datas: {
        item,
        description: "说明",
        versions: [
          {
            number: 2,
            state: "submitted",
            notes: "换了齿形",
            fileId: "f",
            bytes: 2048,
            format: "glb",
            createdAt: 1,
            pictures: [
              { kind: "texture", url: "https://x/t.png", title: "baseColor normal" },
              { kind: "wire", url: "https://x/w.png", title: "front" },
            ],
            proxyUrl: "",
          },
        ],
        records: [{ action: "submitted", reason: "", version: 2, at: 1 }],
        labelNames: [],
        hints: [],
        facts: { triangles: 12000 },
        twins: [
          {
            listing: listing({ listingId: "l2", name: "齿轮副本", seller: "u2" }),
            likeness: 100,
            equal: true,
          },
        ],
        strikes: 3,
      },
    },
    "/api-console/transaction/listings/decide": {},
    "/api-console/transaction/categories/list": { datas: { categories: CATEGORIES } },
    "/api-console/transaction/categories/save": { datas: category("a2", "a", 1) },
  };
};
