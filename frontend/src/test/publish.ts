import type { TransactionMakerListing } from "@/calls/transaction";
import type { Answer } from "./server";
import { frameAnswers } from "./site";

/** A listing as its maker sees it. */
export const maker = (
  more: Partial<TransactionMakerListing> = {},
  listing: object = {},
): TransactionMakerListing => ({
  listing: {
    listingId: "l1",
    name: "行星齿轮组",
    price: -1,
    license: "personal",
    origin: "own",
    categoryId: "",
    labelIds: [],
    formats: ["glb"],
    triangles: 100,
    animation: false,
    score: 90,
    seller: "u1",
    sellerName: "",
    uploaderType: 0,
    thumbUrl: "",
    turntableUrl: "",
    sold: 0,
    ratingSum: 0,
    ratingCount: 0,
    favourites: 0,
    listedAt: 0,
    updatedAt: 1,
    version: 0,
    intro: "",
    ...listing,
  },
  state: "draft",
  description: "",
  revision: 7,
  fileId: "f1",
  versionState: "",
  decision: "",
  reason: "",
  missing: [],
  versions: [],
  records: [],
  createdAt: 1,
  ...more,
});

const CATEGORIES = [
  { id: "c10", name: "机械零件", children: [{ id: "c1001", name: "齿轮与传动", children: [] }] },
];

/** Answers to the calls of the publish centre, with these listings and one of them on its page. */
export const publishAnswers = (rows: TransactionMakerListing[], one = rows[0]): Record<string, Answer> => ({
  ...frameAnswers(),
  list: { datas: { totalCount: rows.length, results: rows } },
  counts: { datas: { counts: {}, released: 1, toBeReleased: 2 } },
  detail: { datas: one },
  labelCate: { datas: CATEGORIES },
  getLabelCateListByCateType: { datas: [] },
  save: { datas: one },
  saveMany: { datas: { results: [] } },
  submit: { datas: { results: [{ listingId: "l1", state: "making", message: "" }] } },
});
