import { renderHook } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { COUNT_MS, countAt, useCountTo } from "./useCountTo";

describe("the weight counting down", () => {
  afterEach(() => vi.useRealTimers());

  it("stays between the two weights, also where the clock runs backwards or far ahead", () => {
    const shown = [-900, -1, 0, 200, 700, COUNT_MS, 60_000].map((at) => countAt(3_300_000, 434_000, at));
    for (const value of shown) {
      expect(value).toBeLessThanOrEqual(3_300_000);
      expect(value).toBeGreaterThanOrEqual(434_000);
    }
    expect(shown.slice(0, 3)).toEqual([3_300_000, 3_300_000, 3_300_000]);
    expect(shown.slice(-2)).toEqual([434_000, 434_000]);
  });

  it("ends on time on a page that draws nothing", async () => {
    vi.useFakeTimers();
    vi.spyOn(globalThis, "requestAnimationFrame").mockReturnValue(1);
    const { result } = renderHook(() => useCountTo(3_300_000, 434_000, true));
    expect(result.current).toBe(3_300_000);
    await vi.advanceTimersByTimeAsync(COUNT_MS);
    await vi.waitFor(() => expect(result.current).toBe(434_000));
  });
});
