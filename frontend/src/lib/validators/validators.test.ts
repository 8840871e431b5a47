import { describe, expect, it } from "vitest";
import * as v from ".";

const rows: [id: string, name: string, check: () => [accepted: boolean[], refused: boolean[]]][] = [
  [
    "VH001",
    "required",
    () => [
      [v.required("a"), v.required(0)],
      [v.required(""), v.required("  "), v.required(null)],
    ],
  ],
  [
    "VH002",
    "email",
    () => [[v.email("a@b.cn")], [v.email("a@"), v.email("@b.cn"), v.email("a@b"), v.email("a b@c.cn")]],
  ],
  [
    "VH003", // AM001
    "mobile",
    () => [
      [v.mobile("11000000000"), v.mobile("13800138000"), v.mobile("12800138000")],
      [v.mobile("10000000000"), v.mobile("1380013800"), v.mobile("138001380000"), v.mobile("23800138000")],
    ],
  ],
  ["VH004", "phone", () => [[v.phone("13800138000"), v.phone("010-12345678")], [v.phone("abc")]]],
  [
    "VH005",
    "landline",
    () => [[v.landline("010-12345678"), v.landline("0571-1234567")], [v.landline("123")]],
  ],
  ["VH006", "fax", () => [[v.fax("010-12345678")], [v.fax("abc")]]],
  [
    "VH007",
    "url",
    () => [[v.url("https://a.cn/x")], [v.url("a b"), v.url("javascript:alert(1)"), v.url("//a.cn")]],
  ],
  ["VH008", "date", () => [[v.date("2024/02/29")], [v.date("abc"), v.date("2023/02/29")]]],
  ["VH009", "ISO date", () => [[v.isoDate("2024-02-29")], [v.isoDate("2024-02-30"), v.isoDate("2024-2-9")]]],
  [
    "VH010",
    "number",
    () => [
      [v.number("1.5"), v.number("-3")],
      [v.number("1a"), v.number("")],
    ],
  ],
  ["VH011", "digits", () => [[v.digits("15")], [v.digits("1.5"), v.digits("")]]],
  ["VH012", "amount", () => [[v.amount("10")], [v.amount("0"), v.amount("010"), v.amount("1.5")]]],
  [
    "VH013",
    "Chinese ID card",
    () => [
      [
        v.idCard("11010519491231002X"),
        v.idCard("11010519491231002x"),
        v.idCard("440524188001010014"),
        v.idCard("830000199001010012"),
      ],
      [
        v.idCard("110105194912310021"),
        v.idCard("11010519491331002X"),
        v.idCard("123"),
        v.idCard("550105194912310021"),
        v.idCard("70010519491231002X"),
      ],
    ],
  ],
  ["VH014", "equalTo", () => [[v.equalTo("a", "a")], [v.equalTo("a", "b")]]],
  ["VH015", "contains", () => [[v.contains("abc", "b")], [v.contains("abc", "d")]]],
  ["VH016", "minimum length", () => [[v.minLength("abc", 3)], [v.minLength("ab", 3)]]],
  [
    "VH017",
    "maximum length",
    () => [[v.maxLength("abc", 3), v.maxLength("𠮷𠮷𠮷", 3)], [v.maxLength("abcd", 3)]],
  ],
  [
    "VH018",
    "length range",
    () => [
      [v.rangeLength("ab", 2, 3), v.rangeLength("abc", 2, 3)],
      [v.rangeLength("a", 2, 3), v.rangeLength("abcd", 2, 3)],
    ],
  ],
  ["VH019", "min", () => [[v.min(2, 2)], [v.min(1, 2)]]],
  ["VH020", "max", () => [[v.max(2, 2)], [v.max(3, 2)]]],
  [
    "VH021",
    "range",
    () => [
      [v.range(1, 1, 3), v.range(3, 1, 3)],
      [v.range(0, 1, 3), v.range(4, 1, 3)],
    ],
  ],
  [
    "VH022",
    "letters and digits",
    () => [[v.lettersAndDigits("aB1")], [v.lettersAndDigits("a_1"), v.lettersAndDigits("")]],
  ],
  ["VH023", "no duplicates", () => [[v.noDuplicates([1, 2])], [v.noDuplicates([1, 1])]]],
];

describe("helper checks", () => {
  it.each(rows)("%s %s", (_id, _name, check) => {
    const [accepted, refused] = check();
    expect(accepted.every(Boolean)).toBe(true);
    expect(refused.some(Boolean)).toBe(false);
  });

  it("VH024 tells a PC from a mobile", () => {
    const desktop = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/131.0 Safari/537.36";
    const phone = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148";
    const android =
      "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/131.0 Mobile Safari/537.36";
    expect(v.deviceOf(desktop)).toBe("PC");
    expect(v.deviceOf(phone)).toBe("mobile");
    expect(v.deviceOf(android)).toBe("mobile");
  });
});
