import { describe, expect, it } from "vitest";
import * as r from "./rules";

describe("field rules", () => {
  it.each(["13800138000", "19900000000", "a@b.cn", "first.last+tag@mail.example.com"])(
    "takes the account %s",
    (value) => {
      expect(r.checkAccount(value)).toBeUndefined();
    },
  );

  it.each(["@", "a@b", "a@b.", "a@.cn", "a b@c.cn", "a@b@c.cn", "a@-b.cn"])(
    "refuses the e-mail %s",
    (value) => {
      expect(r.checkAccount(value)).toBe("请输入正确的邮箱");
    },
  );

  it("takes codes of 1 to 6 digits (AM009)", () => {
    expect(r.checkCode("1", "key")).toBeUndefined();
    expect(r.checkCode("123456", "key")).toBeUndefined();
    expect(r.checkCode("1234567", "key")).toBe("请输入正确的验证码");
    expect(r.checkCode("１２３", "key")).toBe("请输入正确的验证码");
  });

  it("tells a password that is too long as well", () => {
    expect(r.checkPassword("p".repeat(16))).toBeUndefined();
    expect(r.checkPassword("p".repeat(17))).toBe("请输入6~16位字符的密码");
  });

  it("wants more than blanks of a promotion code", () => {
    expect(r.checkPromotion("   ")).toBe("请填写推广码");
  });

  it("strips Han characters, also rare ones, and keeps the rest", () => {
    expect(r.cleanAccount("中文a@b.cn𠮷")).toBe("a@b.cn");
  });

  it.each([
    "+86 138-0013-8000",
    "0086 13800138000",
    "8613800138000",
    "１３８００１３８０００",
    "＋８６ 138 0013 8000",
    " 138-0013-8000 ",
  ])("takes the number %s as it is meant", (value) => {
    expect(r.cleanPhone(value)).toBe("13800138000");
    expect(r.cleanAccount(value)).toBe("13800138000");
  });

  it("keeps what is no mobile number with a country code", () => {
    expect(r.cleanPhone("1380013800012")).toBe("13800138000");
    expect(r.cleanAccount("1380013800012")).toBe("1380013800012");
    expect(r.cleanPhone("00")).toBe("00");
  });

  it("takes no notice of blanks around an account", () => {
    expect(r.cleanAccount("13800138000 ")).toBe("13800138000");
    expect(r.cleanAccount(" a@b.cn ")).toBe("a@b.cn");
  });

  it("counts characters as the server does, and cuts none in two", () => {
    const long = `${"a".repeat(15)}😀b`;
    expect(r.cleanPassword(long)).toBe(`${"a".repeat(15)}😀`);
    expect(r.checkPassword(r.cleanPassword(long))).toBeUndefined();
    expect(r.checkPassword("😀😀😀")).toBe("请输入6~16位字符的密码");
    expect(r.cleanPromotion("😀".repeat(12))).toBe("😀".repeat(11));
    expect(r.cleanAccount("😀".repeat(40))).toBe("😀".repeat(32));
  });
});
