import { expect, it } from "vitest";
import { matching } from "./categories";
import { centsOf, changeOf, priceTyped, problemsOf, rebased, termsOf, type Values } from "./rules";
import { allowed, outcome } from "./words";

const GOOD: Values = {
  name: "行星齿轮组",
  categoryId: "c1001",
  labelIds: ["a"],
  intro: "十二齿",
  description: "",
  license: "personal",
  price: "12.30",
  origin: "own",
};

it.each([
  ["0", 0],
  ["0.00", 0],
  ["1", 100],
  ["19.9", 1990],
  ["0.29", undefined],
  ["1.15", 115],
  ["99,999.99", 9_999_999],
  ["100000", undefined],
  ["0.99", undefined],
  ["1.234", undefined],
  ["1,234.50", 123_450],
  ["19,90", undefined],
  ["1,2", undefined],
  ["1,23,456", undefined],
  ["１９．９", 1990],
  ["19。9", 1990],
  ["-1", undefined],
  ["1e3", undefined],
  ["", undefined],
])("a price of %s is %s cents", (typed, cents) => expect(centsOf(typed)).toBe(cents));

it("a draft may lack what a submission may not", () => {
  const bare = { ...GOOD, categoryId: "", intro: "", price: "" };
  expect(problemsOf(bare, false)).toEqual({});
  expect(problemsOf(bare, true)).toEqual({
    categoryId: "请选择分类",
    intro: "请填写一句话介绍",
    price: "请填写价格",
  });
  expect(problemsOf(GOOD, true)).toEqual({});
});

it.each([
  ["19.9", "19.9"],
  ["１９．９", "19.9"],
  ["19。", "19."],
  ["99999.99", "99999.99"],
  ["1,234.50", "1,234.50"],
  // not dropped, which would make it 1990
  ["19,90", "19,90"],
  ["100000", "before"],
  ["1.999", "before"],
  ["1.9.9", "before"],
  ["1e3", "before"],
  ["-1", "before"],
  ["", ""],
])("typing %s leaves %s", (typed, left) => expect(priceTyped(typed, "before")).toBe(left));

it("a saved price is not emptied, a draft's missing one may stay missing", () => {
  const emptied = { ...GOOD, price: " " };
  expect(problemsOf(emptied, false, GOOD)).toEqual({ price: "价格不能清空，免费请填 0" });
  expect(problemsOf(emptied, false, emptied)).toEqual({});
  expect(problemsOf(emptied, true, emptied)).toEqual({ price: "请填写价格" });
});

it("of categories, the name that equals or begins is first, and what belongs together stays so", () => {
  const choice = (top: string, own: string) => ({ id: top + own, name: `${top} / ${own}`, top });
  const all = [
    choice("玩具", "毛绒动物"),
    choice("玩具", "积木"),
    choice("生物", "昆虫"),
    choice("生物", "动物骨骼"),
    choice("生物", "动物"),
    choice("动物园", "场馆"),
  ];
  const names = (typed: string) => matching(all, typed).map(({ name }) => name);
  expect(names("动物")).toEqual(["生物 / 动物", "生物 / 动物骨骼", "动物园 / 场馆", "玩具 / 毛绒动物"]);
  expect(names(" 玩具 / 积 ")).toEqual(["玩具 / 积木"]);
  expect(names("")).toHaveLength(6);
  expect(names("汽车")).toEqual([]);
});

it("lengths are counted in characters, not in code units", () => {
  expect(problemsOf({ ...GOOD, name: "𠮷".repeat(50) }, true)).toEqual({});
  expect(problemsOf({ ...GOOD, name: "齿".repeat(51) }, false)).toEqual({ name: "模型名称最多 50 个字符" });
  expect(problemsOf({ ...GOOD, intro: "齿".repeat(101) }, false)).toEqual({
    intro: "一句话介绍最多 100 个字符",
  });
});

it("sends what was changed and nothing else", () => {
  expect(changeOf(GOOD, GOOD)).toEqual({});
  expect(changeOf(GOOD, { ...GOOD, price: "12.3" })).toEqual({});
  expect(changeOf(GOOD, { ...GOOD, price: "0", labelIds: ["a", "b"], intro: " 新 " })).toEqual({
    price: 0,
    labelIds: "a,b",
    intro: "新",
  });
});

it("of a change under review, only the terms can be sent", () => {
  expect(termsOf({ name: "新", price: 0 })).toEqual({ price: 0 });
  expect(termsOf({ license: "commercial" })).toEqual({ license: "commercial" });
});

it.each<[string, Partial<Values>, Partial<Values>, Partial<Values>, Partial<Values>]>([
  [
    "nothing was changed here: all is as elsewhere",
    {},
    { name: "甲", price: "9.00" },
    { name: "甲", price: "9.00" },
    {},
  ],
  [
    "nothing was changed elsewhere: all stays",
    { name: "乙", labelIds: [] },
    {},
    { name: "乙", labelIds: [] },
    {},
  ],
  [
    "different fields: both hold",
    { intro: "我的" },
    { license: "commercial", labelIds: ["b"] },
    { intro: "我的", license: "commercial", labelIds: ["b"] },
    {},
  ],
  [
    "the same field: one's own stays, the other is told",
    { name: "乙", labelIds: ["a", "b"], description: "长" },
    { name: "甲", labelIds: [], origin: "ai" },
    { name: "乙", labelIds: ["a", "b"], description: "长", origin: "ai" },
    { name: "甲", labelIds: [] },
  ],
  ["the same change on both sides is none to tell", { name: "甲" }, { name: "甲" }, { name: "甲" }, {}],
  // 12.3 is what was there, and 5 what is there now
  ["an amount is compared, not its digits", { price: "12.3" }, { price: "9.00" }, { price: "9.00" }, {}],
  ["the same amount on both sides", { price: "5" }, { price: "5.00" }, { price: "5" }, {}],
  // what is no price yet is input too
  ["unfinished input", { price: "9." }, { price: "8.00" }, { price: "9." }, { price: "8.00" }],
  ["spaces at the ends are no change", { intro: " 十二齿 " }, { intro: "廿四齿" }, { intro: "廿四齿" }, {}],
])("changed elsewhere, %s", (_, mine, theirs, values, elsewhere) => {
  expect(rebased(GOOD, { ...GOOD, ...mine }, { ...GOOD, ...theirs })).toEqual({
    values: { ...GOOD, ...values },
    elsewhere,
  });
});

it("offers what the state allows", () => {
  expect(allowed({ state: "submitted", versionState: "submitted" })).toMatchObject({
    texts: false,
    terms: false,
    submit: false,
    withdraw: true,
  });
  // The price of the listed version can change while a new version is under review.
  expect(allowed({ state: "listed", versionState: "submitted" })).toMatchObject({
    texts: false,
    terms: true,
    version: false,
  });
  expect(allowed({ state: "listed", versionState: "ready" }).submit).toBe(false);
  expect(allowed({ state: "takendown", versionState: "ready" })).toMatchObject({
    texts: false,
    terms: false,
  });
});

it("tells how many were done", () => {
  const done = { listingId: "a", state: "making", message: "" };
  const refused = { listingId: "b", state: "", message: "请选择分类" };
  expect(outcome([done], "提交")).toBe("已提交");
  expect(outcome([done, refused], "提交")).toBe("1 个模型提交，1 个没有完成");
});
