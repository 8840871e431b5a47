import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseDefaults } from "./defaults.mjs";

test("tables, lists of tables and values", () => {
  const text =
    '# a\n[order]\nwindow = 30\nname = "年"\nlist = ["a", "b"]\non = true\n[[order.grades]]\nid = "1"\n';
  const more = '[[order.grades]]\nid = "2"\n[order.gift]\ndays = 30\n[[order.gift.coupons]]\nid = "c"\n';
  expect(parseDefaults(text + more)).toEqual({
    order: {
      window: 30,
      name: "年",
      list: ["a", "b"],
      on: true,
      grades: [{ id: "1" }, { id: "2" }],
      gift: { days: 30, coupons: [{ id: "c" }] },
    },
  });
});

test("a notation that is not known is an error", () => {
  expect(() => parseDefaults("[a]\nb = 'c'\n")).toThrow("line 2");
  expect(() => parseDefaults("[a]\nb = 1 # minutes\n")).toThrow("line 2");
  expect(() => parseDefaults("b.c = 1\n")).toThrow("line 1");
});

test("the sources of the facts are read whole", () => {
  for (const file of ["crates/facts/src/uploads.toml", "services/order/src/default.toml"]) {
    const text = readFileSync(`../${file}`, "utf8");
    const keys = text.split("\n").filter((line) => /^[a-z0-9_]+ =/.test(line));
    const count = (value) =>
      Array.isArray(value) && value.every((one) => typeof one !== "object")
        ? 1
        : typeof value === "object"
          ? Object.values(value).reduce((sum, one) => sum + count(one), 0)
          : 1;
    expect(count(parseDefaults(text)), file).toBe(keys.length);
  }
});
