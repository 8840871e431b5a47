import { expect, test } from "vitest";
import { coupon } from "@/test/shop";
import { transactionTypes } from "./labels";
import { payable } from "./pricing";
import { successTarget } from "./target";

test.each([
  [29900, { couponSysType: 1, type: 1, faceValue: 3000 }, false, 26900],
  [29900, { couponSysType: 1, type: 2, discountValue: 90 }, false, 26910],
  [29900, { couponSysType: 0, type: 2, faceValue: 3000, discountValue: 90 }, false, 26900],
  [2000, { couponSysType: 0, type: 1, faceValue: 3000 }, false, 0],
  [10000, { couponSysType: 1, type: 2, faceValue: 0, discountValue: 90 }, true, 4900],
  [10000, { couponSysType: 1, type: 1, faceValue: 500, discountValue: 90 }, true, 9500],
  [5, { couponSysType: 1, type: 2, discountValue: 90 }, false, 5],
])("%i cents with %o, oblique %s: %i (CP017 to CP021)", (amount, changes, oblique, rest) => {
  expect(payable(amount, coupon(changes), oblique)).toBe(rest);
});

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
