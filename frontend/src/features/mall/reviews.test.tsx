import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { TransactionListing, TransactionModelReviewsReply } from "@/calls/transaction";
import { findings } from "@/test/axe";
import { answer, type HeardCall } from "@/test/server";
import { frameAnswers, openSite } from "@/test/site";

const gear: TransactionListing = {
  listingId: "m1",
  name: "行星齿轮组",
  price: 0,
  license: "personal",
  origin: "own",
  categoryId: "c1",
  labelIds: [],
  formats: ["glb"],
  triangles: 1200,
  animation: false,
  score: 92,
  seller: "u9",
  sellerName: "齿轮匠",
  uploaderType: 2,
  thumbUrl: "",
  turntableUrl: "",
  sold: 0,
  ratingSum: 9,
  ratingCount: 2,
  favourites: 0,
  listedAt: 1_790_000_000_000,
  updatedAt: 1_790_000_000_000,
  version: 1,
  intro: "",
};
const author = {
  authorId: "u9",
  uploaderType: 2,
  nickname: "齿轮匠",
  avatar: "",
  models: 1,
  sold: 0,
  ratingSum: 9,
  ratingCount: 2,
  since: 1,
};
const detail = (seller = "u9") => ({
  listing: { ...gear, seller },
  description: "",
  labels: [],
  categoryNames: [],
  pictures: [],
  proxyUrl: "",
  facts: "{}",
  bytes: 1,
  versions: [],
  prices: [],
  author,
});
const review = {
  reviewId: "r1",
  stars: 4,
  content: "齿形准确",
  createdAt: 1_790_000_000_000,
  updatedAt: 1_790_000_000_000,
  answer: "谢谢支持",
  answeredAt: 1_790_000_000_000,
  nickname: "听雨人",
  avatar: "",
  way: "free",
  certified: "personal",
};
const told: TransactionModelReviewsReply = {
  totalCount: 2,
  results: [
    review,
    {
      ...review,
      reviewId: "r2",
      stars: 5,
      content: "",
      answer: "",
      nickname: "",
      way: "paid",
      certified: "",
    },
  ],
  ratingSum: 9,
  ratingCount: 2,
  distribution: [0, 0, 0, 1, 1],
};

const answers = (seller?: string) => ({
  ...frameAnswers(),
  detail: { datas: detail(seller) },
  similar: { datas: [gear] },
  checkTheDayOfFreeModelCount: { datas: { count: 5 } },
  list: { datas: { totalCount: 0, results: [], counts: {} } },
  reviews: { datas: told },
  save: { datas: review },
});

const last = (heard: HeardCall[], name: string) => heard.filter((call) => call.name === name).at(-1)?.form;

test("a model's page shows average, distribution and answers, and stars stand on the cards", async () => {
  const heard = answer(answers());
  const { user } = openSite("/transaction/detail?id=m1");
  const block = within(await screen.findByRole("region", { name: "评价" }));
  expect(await block.findByText("4.5")).toBeInTheDocument();
  expect(block.getByText("2 条评价")).toBeInTheDocument();
  expect(block.getByText("齿形准确")).toBeInTheDocument();
  expect(block.getByText("谢谢支持")).toBeInTheDocument();
  expect(block.getByText(/免费领取/)).toBeInTheDocument();
  expect(block.getAllByRole("img", { name: "个人认证" })).toHaveLength(1);
  expect(block.queryByRole("button", { name: "写评价" })).toBeNull();
  const similar = within(await screen.findByRole("list", { name: "相似的模型" }));
  expect(similar.getByText("★ 4.5")).toBeInTheDocument();
  expect(await findings()).toEqual([]);
  await user.click(block.getByRole("button", { name: /^4 星/ }));
  await waitFor(() =>
    expect(last(heard, "reviews")).toMatchObject({ modelId: "m1", stars: "4", pageNo: "1" }),
  );
});

test("who has the model writes one review; who does not is told how", async () => {
  const heard = answer({ ...answers(), mine: { datas: { allowed: true, reason: "", hiddenReason: "" } } });
  const { user } = openSite("/transaction/detail?id=m1", { signedIn: true });
  await user.click(await screen.findByRole("button", { name: "写评价" }));
  const form = within(screen.getByRole("form", { name: "我的评价" }));
  expect(form.getByRole("button", { name: "发表评价" })).toBeDisabled();
  // Without layout a pointer event would hit no star.
  fireEvent.click(form.getByRole("radio", { name: "4 星" }));
  await user.type(form.getByRole("textbox"), " 齿形准确 ");
  await user.click(form.getByRole("button", { name: "发表评价" }));
  await waitFor(() =>
    expect(last(heard, "save")).toMatchObject({ modelId: "m1", stars: "4", content: "齿形准确" }),
  );
});

test("without the model there is a hint, and what an operator has hidden says why", async () => {
  answer({
    ...answers(),
    mine: { datas: { allowed: false, reason: "购买或领取这个模型后才能评价", review, hiddenReason: "广告" } },
  });
  openSite("/transaction/detail?id=m1", { signedIn: true });
  expect(await screen.findByText("购买或领取这个模型后才能评价")).toBeInTheDocument();
  expect(screen.getByText("您的评价已被隐藏：广告")).toBeInTheDocument();
});

test("the maker answers, and does not review", async () => {
  const heard = answer({ ...answers("u1"), answer: {} });
  const { user } = openSite("/transaction/detail?id=m1", { signedIn: true });
  await user.click(await screen.findByRole("button", { name: "回复 玄览用户 的评价" }));
  await user.type(screen.getByRole("textbox", { name: "作者回复" }), "会改进");
  await user.click(screen.getByRole("button", { name: "保存回复" }));
  await waitFor(() => expect(last(heard, "answer")).toMatchObject({ reviewId: "r2", content: "会改进" }));
  expect(heard.some(({ name }) => name === "mine")).toBe(false);
});
