import { describe, expect, it } from "vitest";
import { StorageError } from "./errors";
import { planParts } from "./plan";
import { runParts, type SchedulerOptions } from "./scheduler";

const parts = planParts(90, 10);

function setup(send: SchedulerOptions["send"], change: Partial<SchedulerOptions> = {}) {
  const seen = { waits: 0, renewals: 0, stored: [] as number[], progress: [] as number[] };
  const options: SchedulerOptions = {
    send,
    renewCredentials: async () => {
      seen.renewals += 1;
    },
    onProgress: (bytes) => seen.progress.push(bytes),
    onPart: (part) => seen.stored.push(part.partNumber),
    wait: async () => {
      seen.waits += 1;
    },
    ...change,
  };
  return { seen, options };
}

describe("part scheduler", () => {
  it("keeps four parts in flight, never more, and stores each once", async () => {
    let now = 0;
    let most = 0;
    const { seen, options } = setup(async (part) => {
      now += 1;
      most = Math.max(most, now);
      await new Promise((resolve) => setTimeout(resolve, 1));
      now -= 1;
      return `"${part.partNumber}"`;
    });
    await runParts(parts, new AbortController().signal, options);
    expect(most).toBe(4);
    expect([...seen.stored].sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(seen.progress.at(-1)).toBe(90);
  });

  it("tries a part again after a transient fault, with a wait before each try", async () => {
    const tries = new Map<number, number>();
    const { seen, options } = setup(async (part) => {
      const n = (tries.get(part.partNumber) ?? 0) + 1;
      tries.set(part.partNumber, n);
      if (part.partNumber === 3 && n < 4) throw new StorageError("transient", "busy", 503);
      return '"e"';
    });
    await runParts(parts, new AbortController().signal, options);
    expect(tries.get(3)).toBe(4);
    expect(tries.get(2)).toBe(1);
    expect(seen.waits).toBe(3);
  });

  it("fetches new keys when the old ones are refused, then goes on", async () => {
    let expired = true;
    const { seen, options } = setup(
      async () => {
        if (expired) throw new StorageError("credentials", "expired", 403, "ExpiredToken");
        return '"e"';
      },
      {
        parallel: 1,
        renewCredentials: async () => {
          expired = false;
          seen.renewals += 1;
        },
      },
    );
    await runParts(parts, new AbortController().signal, options);
    expect(seen.renewals).toBe(1);
    expect(seen.stored).toHaveLength(9);
  });

  it("stops at once when the store refuses for good, and takes the other parts back", async () => {
    const aborted: number[] = [];
    const { seen, options } = setup(
      (part, signal) =>
        new Promise((_resolve, reject) => {
          if (part.partNumber === 2) {
            reject(new StorageError("refused", "quota", 403, "QuotaExceeded"));
            return;
          }
          signal.addEventListener("abort", () => {
            aborted.push(part.partNumber);
            reject(new DOMException("aborted", "AbortError"));
          });
        }),
    );
    await expect(runParts(parts, new AbortController().signal, options)).rejects.toMatchObject({
      fault: "refused",
    });
    expect(aborted.sort()).toEqual([1, 3, 4]);
    expect(seen.stored).toEqual([]);
  });

  it("gives up a part after its last try", async () => {
    let tries = 0;
    const { options } = setup(
      async () => {
        tries += 1;
        throw new StorageError("transient", "down");
      },
      { attempts: 3, parallel: 1 },
    );
    await expect(runParts(parts, new AbortController().signal, options)).rejects.toMatchObject({
      fault: "transient",
    });
    expect(tries).toBe(3);
  });

  it("ends with an AbortError when the user pauses", async () => {
    const outer = new AbortController();
    const { seen, options } = setup(
      async (part, signal) => {
        if (part.partNumber === 3) outer.abort();
        if (signal.aborted) throw new DOMException("aborted", "AbortError");
        return '"e"';
      },
      { parallel: 1 },
    );
    await expect(runParts(parts, outer.signal, options)).rejects.toMatchObject({ name: "AbortError" });
    expect(seen.stored).toEqual([1, 2]);
  });

  it("does nothing when nothing is missing", async () => {
    const { seen, options } = setup(async () => '"e"');
    await runParts([], new AbortController().signal, options);
    expect(seen.stored).toEqual([]);
  });
});
