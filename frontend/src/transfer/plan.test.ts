import { describe, expect, it } from "vitest";
import { backoffMs, MAX_PARTS, objectKey, PART_SIZE, planParts, reconcile, Throughput } from "./plan";

describe("parts", () => {
  it("cuts a 12 MB file into 5, 5 and 2 MB (ST002)", () => {
    const parts = planParts(12 * 1_048_576);
    expect(parts.map((p) => p.end - p.start)).toEqual([PART_SIZE, PART_SIZE, 2 * 1_048_576]);
    expect(parts.map((p) => p.partNumber)).toEqual([1, 2, 3]);
    expect(parts[1]?.start).toBe(parts[0]?.end);
  });

  it("gives an exact multiple no empty last part, and one byte one part", () => {
    expect(planParts(2 * PART_SIZE)).toHaveLength(2);
    expect(planParts(1)).toEqual([{ partNumber: 1, start: 0, end: 1 }]);
  });

  it("refuses an empty file and one beyond the store's ceiling", () => {
    expect(() => planParts(0)).toThrow(RangeError);
    expect(() => planParts(MAX_PARTS * PART_SIZE + 1)).toThrow(RangeError);
    expect(planParts(5 * 1024 ** 3)).toHaveLength(1024);
  });

  it("sends only what the store does not hold, and again what it holds in another length", () => {
    const plan = planParts(3 * PART_SIZE + 7);
    const { done, missing } = reconcile(plan, [
      { partNumber: 2, etag: '"b"', size: PART_SIZE },
      { partNumber: 3, etag: '"c"', size: 100 },
      { partNumber: 4, etag: '"d"', size: 7 },
      { partNumber: 9, etag: '"x"', size: PART_SIZE },
    ]);
    expect(done.map((p) => p.partNumber)).toEqual([2, 4]);
    expect(missing.map((p) => p.partNumber)).toEqual([1, 3]);
  });
});

describe("object key", () => {
  const day = new Date(2026, 10, 5, 12);

  it("has the owner, the day, a random part and the file's name", () => {
    expect(objectKey("42", "齿轮.obj", day, "r")).toBe("u/42/20261105/r/齿轮.obj");
  });

  it("lets no name climb or break the path", () => {
    expect(objectKey("42", "../../x.obj", day, "r")).toBe("u/42/20261105/r/.._.._x.obj");
    expect(objectKey("42", "..", day, "r")).toBe("u/42/20261105/r/_");
    expect(objectKey("42", "a\u0000b\\c", day, "r")).toBe("u/42/20261105/r/a_b_c");
  });
});

describe("pace", () => {
  it("doubles the waiting time to a ceiling of 30 s, with jitter", () => {
    expect([1, 2, 3, 4, 5, 6, 9].map((n) => backoffMs(n, () => 1))).toEqual([
      1000, 2000, 4000, 8000, 16_000, 30_000, 30_000,
    ]);
    expect(backoffMs(1, () => 0)).toBe(500);
  });

  it("measures speed over the recent window only", () => {
    const speed = new Throughput(4000);
    for (let t = 0; t <= 10; t += 1) speed.add(t * 1000, t < 6 ? 0 : (t - 5) * 1000);
    expect(speed.bytesPerSecond()).toBeGreaterThan(900);
    speed.reset();
    expect(speed.bytesPerSecond()).toBe(0);
  });
});
