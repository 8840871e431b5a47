import { expect, test } from "vitest";
import { GRADES_SOLD } from "@/facts/shop";
import { PAID_GRADES, purchaseBlock } from "@/features/membership";
import { gradeOfRank, RANKS } from "@/ui/MemberBadge";
import vectors from "../../../services/order/src/coupon_vectors.json";
import gradeVectors from "../../../services/order/src/grade_vectors.json";
import { transactionTypes } from "./labels";
import { payable } from "./pricing";
import { successTarget } from "./target";

test.each(vectors)(
  "$amount cents with $type of $sysType: $payable (CP017 to CP021, AM036 to AM038)",
  (vector) => {
    const { amount, oblique, sysType, payable: rest, ...figures } = vector;
    expect(payable(amount, { ...figures, couponSysType: sysType }, oblique)).toBe(rest);
  },
);

test("the grades a purchase offers are those on sale", () => {
  expect(GRADES_SOLD.map((grade) => grade.rank)).toEqual(PAID_GRADES.map((grade) => RANKS[grade]));
});

test.each(gradeVectors)(
  "beside rank $running, rank $wanted is offered: $sold",
  ({ running, wanted, sold }) => {
    const grade = gradeOfRank(wanted);
    if (grade === "free") throw new Error("no vector is about the free edition");
    expect(purchaseBlock(grade, gradeOfRank(running)) === undefined).toBe(sold);
  },
);

test("without a coupon the whole price is paid", () => {
  expect(payable(29900, undefined)).toBe(29900);
});

test.each([
  ["/common/recharge", "/common/recharge?isPay=1"],
  ["/workbench/account/accountRecharge/", "/workbench/account/accountRecharge?isPay=1"],
  ["/modelEditor/zuvModel", "/workbench/myModel"],
  ["/common/pay", "/"],
  ["/activity/blindBox", "/activity/blindBox?showStatus=3"],
  ["/pricePage", undefined],
  ["/", undefined],
])("after a payment on %s: %s (PY028 to PY033)", (path, target) => {
  expect(successTarget(path)).toBe(target);
});

test("transaction types run from 0 to 43, each once, the named ones first (AC005 to AC009)", () => {
  const types = transactionTypes();
  expect(types.map((type) => type.code).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 44 }, (_, code) => code),
  );
  expect(types.slice(0, 4).map((type) => type.name)).toEqual(["充值", "算力", "套餐", "模型购买"]);
});
