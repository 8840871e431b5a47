import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { MEASURED } from "./facts";

const doc = readFileSync(path.resolve("../docs/benchmarks-engine.md"), "utf8");

/** Cells of the tool's row in the section whose heading starts with `heading`. */
function row(heading: string, tool = "xuanlan"): Record<string, string> {
  const section = doc.split("\n## ").find((part) => part.startsWith(heading));
  const lines = section?.split("\n").filter((line) => line.startsWith("| ")) ?? [];
  const cells = (line = "") =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim());
  const found = cells(lines.find((line) => line.startsWith(`| ${tool} |`)));
  return Object.fromEntries(cells(lines[0]).map((name, i) => [name, found[i] ?? ""]));
}

test("the figures of the home page are those that were measured", () => {
  const scan = row("real4_1.4M.glb");
  expect(Number(scan.MB)).toBe(MEASURED.scan.after);
  expect(Number(scan["wall s"])).toBe(MEASURED.scan.seconds);
  expect(Number(scan["error %"])).toBe(MEASURED.scan.errorPercent);
  const helmet = row("DamagedHelmet.glb: size", "xuanlan WebP");
  expect(Number(helmet.MB)).toBe(MEASURED.helmet.after);
  expect(helmet.triangles).toBe("15452");
  const soldier = row("Soldier.glb");
  expect(Number(soldier.MB)).toBe(MEASURED.soldier.after);
  expect(Number(soldier.clips)).toBe(MEASURED.soldier.clips);
  const convert = row("real4 as STL");
  expect(Number(convert["wall s"])).toBe(MEASURED.convert.seconds);
  expect(Number(convert["validator errors"])).toBe(MEASURED.convert.validatorErrors);
  expect(Number(convert.triangles)).toBe(MEASURED.scan.triangles);
});
